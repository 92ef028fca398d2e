import { z } from 'zod';
import { EmailField, LinkTokenField, PasswordField } from '#server/core/sign-in-fields.ts';
import {
  invite,
  joinAccount,
  openInvitation,
  signUpToJoin,
  withdrawInvitation,
} from '#server/people/invitations.ts';
import { changeRole, listInvitations, listPeople, removePerson } from '#server/people/people.ts';
import {
  memberProcedure,
  openProcedure,
  ownerProcedure,
  requireConfirmed,
  router,
  userProcedure,
} from '../trpc.ts';

const Token = z.object({ token: LinkTokenField });
const Role = z.enum(['owner', 'member']);
const OfPerson = z.object({ userId: z.string().max(64) });
const graveProcedure = ownerProcedure.use(requireConfirmed);

/** The account's members and invitations. */
export const people = router({
  list: memberProcedure.query(({ ctx }) => listPeople(ctx)),

  invitations: ownerProcedure.query(({ ctx }) => listInvitations(ctx)),

  /** Only this answer contains the link. */
  invite: graveProcedure
    .input(z.object({ role: Role, note: z.string().max(500) }))
    .mutation(({ ctx, input }) => invite(ctx, input)),

  withdraw: ownerProcedure
    .input(z.object({ invitationId: z.string().max(64) }))
    .mutation(({ ctx, input }) => withdrawInvitation(ctx, input)),

  changeRole: graveProcedure
    .input(OfPerson.extend({ role: Role }))
    .mutation(({ ctx, input }) => changeRole(ctx, input)),

  remove: graveProcedure.input(OfPerson).mutation(({ ctx, input }) => removePerson(ctx, input)),

  /** The account of an invitation. A mutation, so that no address contains the token. */
  open: openProcedure.input(Token).mutation(({ ctx, input }) => openInvitation(ctx, input)),

  join: userProcedure.input(Token).mutation(({ ctx, input }) => joinAccount(ctx, input)),

  signUp: openProcedure
    .input(Token.extend({ email: EmailField, password: PasswordField }))
    .mutation(async ({ ctx, input }) => {
      const { mailed } = await signUpToJoin(ctx, input);
      return { mailed };
    }),
});
