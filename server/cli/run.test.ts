import { expect, test } from 'vitest';
import { ACTIONS } from '#server/sandbox/rule.ts';
import { Lines } from './command.ts';
import { COMMANDS, run } from './run.ts';

test.each([
  [
    'account activate --email a@b.example --numbers two --until 2027-01-31',
    '--numbers must be a whole number. Usage: npm run -s cli -- account activate (--email E | --account acc_…) --numbers N --until YYYY-MM-DD [--note T] [--end-now]',
  ],
  ['account create --admin', '--email is missing. Usage: npm run -s cli -- account create'],
  ['account create --mail a@b.example', "Unknown option '--mail'. Usage: "],
  ['account create ann', "Unexpected argument 'ann'. Usage: "],
  ['account create --email', "Option '--email <value>' argument missing. Usage: "],
  ['number add --email a@b.example --network telegram', '--network must be whatsapp or sandbox. Usage: '],
  ['number link --instance=', '--instance must not be empty. Usage: '],
  [
    'sandbox rule --instance num_1 --stage wire --action explode',
    `--action must be one of ${ACTIONS.join(', ')}. Usage: `,
  ],
  ['backup', 'FILE is missing. Usage: npm run -s cli -- backup FILE [--move] [--json]'],
  ['acount create', 'There is no command "acount create". Commands: account create, account activate,'],
  ['key', 'There is no command "key". Commands: key create, key rotate, key revoke, key list. To see what'],
  ['', 'Name a command. Commands: account create, '],
  ['help acount', 'There is no command "acount". Commands: account create, account activate,'],
  [
    'help key make',
    'There is no command "key make". Commands: key create, key rotate, key revoke, key list.',
  ],
  ['help help', 'There is no command "help". Commands: account create, '],
  ['--help acount', 'There is no command "acount". Commands: account create, account activate,'],
])('"%s" is refused with its usage, before anything starts', async (line, message) => {
  await expect(run(line.split(' ').filter(Boolean))).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(message),
  });
});

test('help says in lines what every command does and how to call it, or those of a group, or one', async () => {
  const all = await linesOf('help');
  for (const { does, usage } of COMMANDS) {
    expect(does).toMatch(/^[A-Z].{15,}\.$/);
    expect(all[all.indexOf(usage) + 1]).toBe(`  ${does}`);
  }
  expect(new Set(COMMANDS.map(({ does }) => does)).size).toBe(COMMANDS.length);
  expect(await linesOf('--help')).toEqual(all);

  const group = await linesOf('help key');
  expect(group.filter((line) => line.startsWith('npm'))).toEqual([
    'npm run -s cli -- key create --instance num_… [--name T]',
    'npm run -s cli -- key rotate --id key_… [--overlap-hours N]',
    'npm run -s cli -- key revoke --id key_…',
    'npm run -s cli -- key list (--email E | --account acc_…)',
  ]);
  expect(await linesOf('key --help')).toEqual(group);
  expect(await linesOf('key create --help')).toEqual(group.slice(0, 2));
  expect(await linesOf('help key create')).toEqual(group.slice(0, 2));
  expect(await linesOf('-h')).toEqual(all);
  expect((await linesOf('doctor -h'))[0]).toBe('npm run -s cli -- doctor [--json]');
  expect((await linesOf('backup wirebird.backup --help')).length).toBe(2);
});

async function linesOf(line: string): Promise<readonly string[]> {
  const printed = await run(line.split(' '));
  if (!(printed instanceof Lines)) throw new Error('help prints lines');
  return printed.lines;
}
