import type { Metadata } from 'next';
import { people } from '#app/_features/account/people-words.ts';
import { JoinForm } from '#app/_features/auth/join-form.tsx';
import { currentUser } from '#server/auth/session.ts';

export const metadata: Metadata = { title: people.invite };

/** The target of an invitation, for a new user and for a signed-in one. */
export default async function JoinPage() {
  const user = await currentUser();
  return <JoinForm signedInAs={user?.email ?? null} />;
}
