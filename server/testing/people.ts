import { invite } from '#server/people/invitations.ts';
import { openMailer } from '#server/platform/mail/mailer.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { CLI } from './domain.ts';
import { startSmtpServer } from './smtp.ts';

/** A separate database for a test file, with a mail server and a `mailer` for it. */
export async function startMailWorld() {
  const database = await createTestDatabase();
  const smtp = await startSmtpServer();
  return {
    database,
    smtp,
    mailer: () => openMailer({ smtpUrl: smtp.url, from: 'wirebird@wirebird.example' }),
    async stop() {
      await smtp.close();
      await database.drop();
    },
  };
}

/** Invites a person to an account. Resolves to the token of the invitation's link. */
export async function inviteToken(
  database: TestDatabase,
  { accountId, role = 'member' }: { accountId: string; role?: 'owner' | 'member' | undefined },
): Promise<string> {
  const { link } = await invite({ database, accountId, actor: CLI }, { role, note: 'Jonas' });
  return new URL(link).hash.slice(1);
}

/** The error code of a rejected promise, or `done`. */
export function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
}
