import { command } from '../command.ts';
import { examine } from '../doctor.ts';

export const doctorCommands = [
  command({
    name: 'doctor',
    does: 'Checks everything that Wirebird needs, and says what to do about each problem. Changes nothing.',
    usage: '',
    options: {},
    run: async () => {
      const checks = await examine();
      const healthy = checks.every(({ ok }) => ok);
      if (!healthy) process.exitCode = 1;
      return { healthy, checks };
    },
  }),
];
