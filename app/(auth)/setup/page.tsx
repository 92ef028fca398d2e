import type { Metadata } from 'next';
import { UsedLink } from '#app/_features/auth/auth-form.tsx';
import { ClaimAdmin } from '#app/_features/auth/claim-admin.tsx';
import { NewUserForm } from '#app/_features/auth/new-user-form.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { currentUser } from '#server/auth/session.ts';
import { LinkTokenField } from '#server/core/sign-in-fields.ts';
import { isFirstAdminLink } from '#server/people/first-admin.ts';
import { database } from '#server/platform/db/client.ts';

export const metadata: Metadata = { title: auth.setup.title };

/** The one-time link that the first start prints. */
export default async function SetupPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { data: token } = LinkTokenField.safeParse((await searchParams).token);
  const texts = auth.setup;
  const user = await currentUser();
  if (token === undefined || !(await isFirstAdminLink({ database: database().forPages }, { token }))) {
    const toStart = user ? texts.toStart : texts.toSignIn;
    return <UsedLink title={auth.usedTitle} why={texts.used} toStart={toStart} />;
  }
  if (user) return <ClaimAdmin token={token} email={user.email} />;
  return <NewUserForm title={texts.title} lead={texts.lead} submit={texts.submit} token={token} />;
}
