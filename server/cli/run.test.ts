import { expect, test } from 'vitest';
import { ACTIONS } from '#server/sandbox/rule.ts';
import { run } from './run.ts';
import { COMMANDS } from './table.ts';

test.each([
  [
    'account activate --email a@b.example --numbers two --until 2027-01-31',
    '--numbers must be a whole number. Usage: npm run -s cli -- account activate (--email E | --account acc_…) --numbers N --until YYYY-MM-DD [--note T]',
  ],
  ['account create --email a@b.example', '--password is missing. Usage: npm run -s cli -- account create'],
  ['account create --mail a@b.example', "Unknown option '--mail'. Usage: "],
  ['account create ann', "Unexpected argument 'ann'. Usage: "],
  ['account create --email', "Option '--email <value>' argument missing. Usage: "],
  ['number add --email a@b.example --network telegram', '--network must be whatsapp or sandbox. Usage: '],
  ['number link --instance=', '--instance must not be empty. Usage: '],
  [
    'sandbox rule --instance num_1 --stage wire --action explode',
    `--action must be one of ${ACTIONS.join(', ')}. Usage: `,
  ],
  ['acount create', 'There is no command "acount create". Commands: account create, account activate,'],
  ['', 'There is no command "". Commands: '],
])('"%s" is refused with its usage, before anything starts', async (line, message) => {
  await expect(run(line.split(' ').filter(Boolean))).rejects.toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining(message),
  });
});

test('help says what every command does and how to call it, or those of a group', async () => {
  const all = await run(['--help']);
  expect(all).toEqual(
    COMMANDS.map(({ usage }) => ({ does: expect.stringMatching(/^[A-Z].{15,}\.$/), usage })),
  );
  expect(new Set(COMMANDS.map(({ does }) => does)).size).toBe(COMMANDS.length);
  expect(await run(['help'])).toEqual(all);
  const group = await run(['help', 'key']);
  expect(group).toMatchObject([
    { usage: 'npm run -s cli -- key create --instance num_… [--name T]', does: expect.any(String) },
    { usage: 'npm run -s cli -- key rotate --id key_… [--overlap-hours N]', does: expect.any(String) },
    { usage: 'npm run -s cli -- key revoke --id key_…', does: expect.any(String) },
    { usage: 'npm run -s cli -- key list (--email E | --account acc_…)', does: expect.any(String) },
  ]);
  expect(await run(['key', 'create', '--help'])).toEqual(group);
});
