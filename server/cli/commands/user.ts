import { makeResetLink } from '#server/services/change-password.ts';
import { setUserDisabled } from '#server/services/disable-user.ts';
import { removeSecondFactor } from '#server/services/second-factor.ts';
import { findUserByEmail } from '#server/store/users.ts';
import { command, flag, text } from '../command.ts';

const actor = { kind: 'cli' } as const;

/** What the operator does for the people who sign in. */
export const userCommands = [
  command({
    name: 'account reset',
    usage: '--email E [--second-factor]',
    options: { email: text, 'second-factor': flag },
    run: async ({ email, 'second-factor': secondFactor }, context) => {
      const database = await context.database();
      const made = await makeResetLink(database, { email, actor });
      const user = secondFactor && (await findUserByEmail(database.db, { email }));
      if (user) await removeSecondFactor(database, { userId: user.id, actor });
      return made;
    },
  }),

  command({
    name: 'account disable',
    usage: '--email E',
    options: { email: text },
    run: async ({ email }, context) => {
      await setUserDisabled(await context.database(), { email, disabled: true, actor });
      return { email, disabled: true };
    },
  }),

  command({
    name: 'account enable',
    usage: '--email E',
    options: { email: text },
    run: async ({ email }, context) => {
      await setUserDisabled(await context.database(), { email, disabled: false, actor });
      return { email, disabled: false };
    },
  }),
];
