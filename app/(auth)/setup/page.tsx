import type { Metadata } from 'next';
import { AUTH_LINK, AuthHead } from '#app/_components/auth/auth-form.tsx';
import { ClaimAdmin } from '#app/_components/auth/claim-admin.tsx';
import { NewUserForm } from '#app/_components/auth/new-user-form.tsx';
import Link from '#app/_components/link.tsx';
import { auth } from '#app/_texts/auth.ts';
import { currentUser } from '#server/auth/session.ts';
import { LinkTokenField } from '#server/core/sign-in-fields.ts';
import { database } from '#server/db/client.ts';
import { isFirstAdminLink } from '#server/services/first-admin.ts';

export const metadata: Metadata = { title: auth.setup.title };

/** The one-time link that the first start prints. */
export default async function SetupPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { data: token } = LinkTokenField.safeParse((await searchParams).token);
  const texts = auth.setup;
  if (token === undefined || !(await isFirstAdminLink(database().forPages, { token }))) {
    return (
      <>
        <AuthHead title={texts.usedTitle} lead={texts.used} />
        <p className="mt-5 text-13">
          <Link href="/" className={AUTH_LINK}>
            {texts.toStart}
          </Link>
        </p>
      </>
    );
  }
  const user = await currentUser();
  if (user) return <ClaimAdmin token={token} email={user.email} />;
  return <NewUserForm title={texts.title} lead={texts.lead} submit={texts.submit} token={token} />;
}
