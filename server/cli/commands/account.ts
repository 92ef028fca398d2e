import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { exportAccount } from '#server/accounts/export-account.ts';
import { listAccounts } from '#server/accounts/list-accounts.ts';
import { makeResetLink } from '#server/people/change-password.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { ACCOUNT_USAGE, accountOptions, contextOfAccount } from '../accounts.ts';
import { command, flag, text, UsageError, whole } from '../command.ts';
import { writeNewFile } from '../write-new-file.ts';

const actor = { kind: 'cli' } as const;
const unguessable = () => randomBytes(32).toString('base64url');

export const accountCommands = [
  command({
    name: 'account create',
    does: 'Creates a user and an account, and prints a one-time link to set the password, unless it is given. With --admin, the user is an administrator.',
    usage: '--email E [--password P] [--admin]',
    options: { email: text, password: text.optional(), admin: flag },
    run: async ({ email, password: given, admin }, context) => {
      const database = await context.database({ creates: true });
      const password = given ?? unguessable();
      const made = await signUp({ database }, { email, password, admin, operator: actor });
      const created = { account: made.accountId, email: made.email };
      return given === undefined
        ? { ...created, ...(await makeResetLink({ database, actor }, made)) }
        : created;
    },
  }),

  command({
    name: 'account activate',
    does: 'Enables the plan of an account, or renews it. Refuses a last day so far in the past that the plan ends at once, unless --end-now is given.',
    usage: `${ACCOUNT_USAGE} --numbers N --until YYYY-MM-DD [--note T] [--end-now]`,
    options: { ...accountOptions, numbers: whole, until: text, note: text.optional(), 'end-now': flag },
    run: async ({ numbers, until, note, 'end-now': endNow, ...account }, context) => {
      const terms = { numbersIncluded: numbers, paidUntil: until, note, mustWork: !endNow };
      return activatePlan(await contextOfAccount(context, account), terms);
    },
  }),

  command({
    name: 'account deactivate',
    does: 'Ends the plan of an account at once: its waiting messages are cancelled.',
    usage: ACCOUNT_USAGE,
    options: accountOptions,
    run: async (account, context) => {
      return deactivatePlan(await contextOfAccount(context, account));
    },
  }),

  command({
    name: 'account list',
    does: 'Lists the accounts with their plans, or those that match a search.',
    usage: '[--search T]',
    options: { search: text.optional() },
    run: async ({ search = '' }, context) => {
      const rows = await listAccounts({ database: await context.database() }, { search });
      return rows.map(({ accountId, ...row }) => ({ account: accountId, ...row }));
    },
  }),

  command({
    name: 'account export',
    does: 'Writes all data of an account to a file.',
    usage: `${ACCOUNT_USAGE} --out FILE --yes`,
    options: { ...accountOptions, out: text, yes: flag },
    run: async ({ out, yes, ...account }, context) => {
      requireYes(yes, 'writes all data of the account to a file');
      const accountContext = await contextOfAccount(context, account);
      const { parts } = await exportAccount(accountContext);
      await writeNewFile(out, parts);
      return { account: accountContext.accountId, file: path.resolve(out) };
    },
  }),

  command({
    name: 'account delete',
    does: 'Permanently deletes an account with its numbers, keys and messages.',
    usage: `${ACCOUNT_USAGE} --yes`,
    options: { ...accountOptions, yes: flag },
    run: async ({ yes, ...account }, context) => {
      requireYes(yes, 'permanently deletes the account');
      const accountContext = await contextOfAccount(context, account);
      const deleted = await deleteAccount(accountContext, { accountName: null });
      return { account: accountContext.accountId, deleted };
    },
  }),
];

function requireYes(yes: boolean, what: string): void {
  if (!yes) throw new UsageError(`This ${what}. Run it again with --yes to confirm.`);
}
