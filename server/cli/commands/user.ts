import { makeResetLink } from '#server/people/change-password.ts';
import { findUserByEmail } from '#server/people/queries/users.ts';
import { removeSecondFactor } from '#server/people/second-factor.ts';
import { confirmEmail, releaseEmail, setUserDisabled } from '#server/people/user-status.ts';
import { command, flag, text, UsageError } from '../command.ts';

const actor = { kind: 'cli' } as const;

export const userCommands = [
  command({
    name: 'account reset',
    does: 'Prints a one-time link to set a new password; --second-factor also turns off two-factor authentication.',
    usage: '--email E [--second-factor]',
    options: { email: text, 'second-factor': flag },
    run: async ({ email, 'second-factor': secondFactor }, context) => {
      const database = await context.database();
      const made = await makeResetLink({ database, actor }, { email });
      const user = secondFactor && (await findUserByEmail(database.db, { email }));
      if (user) await removeSecondFactor({ database, userId: user.id, actor });
      return made;
    },
  }),

  command({
    name: 'account confirm',
    does: 'Confirms that an email address belongs to its user.',
    usage: '--email E',
    options: { email: text },
    run: async ({ email }, context) => {
      await confirmEmail({ database: await context.database(), actor }, { email });
      return { email, confirmed: true };
    },
  }),

  command({
    name: 'account release',
    does: 'Disables the user with an address, so that its owner can sign up with it.',
    usage: '--email E --yes',
    options: { email: text, yes: flag },
    run: async ({ email, yes }, context) => {
      if (!yes)
        throw new UsageError(
          'This disables the user with that address and lets somebody else sign up with it. Run it again with --yes to confirm.',
        );
      await releaseEmail({ database: await context.database(), actor }, { email });
      return { email, released: true };
    },
  }),

  command({
    name: 'account disable',
    does: 'Signs a user out everywhere and refuses further sign-ins.',
    usage: '--email E',
    options: { email: text },
    run: async ({ email }, context) => {
      await setUserDisabled({ database: await context.database(), actor }, { email, disabled: true });
      return { email, disabled: true };
    },
  }),

  command({
    name: 'account enable',
    does: 'Lets a disabled user sign in again.',
    usage: '--email E',
    options: { email: text },
    run: async ({ email }, context) => {
      await setUserDisabled({ database: await context.database(), actor }, { email, disabled: false });
      return { email, disabled: false };
    },
  }),
];
