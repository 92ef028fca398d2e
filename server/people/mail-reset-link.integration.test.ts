import { afterAll, expect, test } from 'vitest';
import { freshEmail, makeAccount } from '#server/testing/domain.ts';
import { startMailWorld } from '#server/testing/people.ts';
import { reserve } from '#server/testing/sql.ts';
import { openResetLink, resetPassword } from './change-password.ts';
import { mailResetLink } from './mail-reset-link.ts';
import { verifyPassword } from './verify-password.ts';

const { database, smtp, mailer, stop } = await startMailWorld();
afterAll(stop);

const NEW = 'granite otter under willow';

test('a mailed link sets a new password, once', async () => {
  const { email } = await makeAccount(database, 0);
  await (await mailResetLink({ database, address: '192.0.2.1' }, { email, mailer: mailer() })).done;
  const [mail] = smtp.mails.splice(0);
  expect(mail?.to).toEqual([email]);
  const token = /\/reset#([\w-]{22})/.exec(mail?.text ?? '')?.[1] ?? '';
  await openResetLink({ database, address: null }, { token });
  await resetPassword({ database, address: null }, { token, password: NEW });
  expect(await verifyPassword({ database }, { email, password: NEW, address: '192.0.2.1' })).not.toBeNull();
  await expect(resetPassword({ database, address: null }, { token, password: NEW })).rejects.toMatchObject({
    code: 'not_found',
  });
  // Its page says so before it asks for a password.
  for (const dead of [token, 'bad', ''])
    await expect(openResetLink({ database, address: null }, { token: dead })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('This link was already used or has expired.'),
    });
});

test('neither the answer nor its time reveals whether an address has a user', async () => {
  const { email } = await makeAccount(database, 0);
  // The answers come although nothing can be looked up.
  const locked = await reserve(database.pool);
  await locked.unsafe('begin; lock table users in access exclusive mode');
  const answers = [];
  for (const asked of [email, freshEmail()])
    answers.push(await mailResetLink({ database, address: '192.0.2.2' }, { email: asked, mailer: mailer() }));
  await locked.unsafe('rollback');
  locked.release();
  for (const { done } of answers) expect(await done).toBeUndefined();
  expect(smtp.mails.splice(0).map(({ to }) => to)).toEqual([[email]]);
});

test('a person gets at most three mails for a while, whichever address asks', async () => {
  const email = freshEmail();
  const ask = (address: string) => mailResetLink({ database, address }, { email, mailer: mailer() });
  for (let i = 0; i < 3; i++) await (await ask(`192.0.2.${10 + i}`)).done;
  await expect(ask('192.0.2.20')).rejects.toMatchObject({ code: 'rate_limited' });
});

test('without a mail server the answer says who can help', async () => {
  const asked = mailResetLink({ database, address: null }, { email: freshEmail(), mailer: null });
  await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
});
