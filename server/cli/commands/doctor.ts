import { command, flag, Lines } from '../command.ts';
import { examine } from '../doctor.ts';
import { findingsJson, findingsLines, isHealthy } from '../findings.ts';

export const doctorCommands = [
  command({
    name: 'doctor',
    does: 'Checks everything that Wirebird needs, and says what to do about each problem. Changes nothing.',
    usage: '[--json]',
    options: { json: flag },
    run: async ({ json }) => {
      const findings = await examine();
      if (!isHealthy(findings)) process.exitCode = 1;
      return json ? findingsJson(findings) : new Lines(findingsLines(findings));
    },
  }),
];
