import { expect, test } from 'playwright/test';
import { dumpAsText } from '#server/testing/database-dump.ts';
import { allPlaces } from '../../places.ts';
import { signIn } from '../dashboard-client.ts';
import { PROCEDURES } from '../tenancy/cells.ts';
import { inputsOf } from '../tenancy/inputs.ts';
import { MISSING } from '../tenancy/missing.ts';
import type { Attacked } from './attacked.ts';
import type { RefusingMailServer } from './refusing-mail-server.ts';

const CANARY = 'canary7f3q';
const CANARY_NUMBER = '4915777000111';

/** A key, a text and a number in every field, through every error path. */
export function canariesStayAway(attacked: () => Attacked & { mails: RefusingMailServer }): void {
  /** Keys created in the dashboard. */
  const made: string[] = [];

  test('the answer to a created or rotated key is no-store, and no other answer contains the key', async () => {
    const { stack, database, owner, ids } = attacked();
    const client = await signIn(stack.url, owner);
    const { numberId } = ids;
    let keyId = '';
    for (const [name, input] of [
      ['keys.create', () => ({ numberId, name: 'Till', expiresAt: null })],
      ['keys.rotate', () => ({ keyId, overlapHours: 24 })],
    ] as const) {
      const answer = await client.mutate(name, input());
      expect([answer.status, answer.headers.get('cache-control')], name).toEqual([200, 'no-store']);
      const { data } = ((await answer.json()) as { result: { data: { id: string; key: string } } }).result;
      expect(data.key).toMatch(/^wsk_test_/);
      made.push(data.key);
      keyId = data.id;
    }
    const [alert] = await database.sql<{ id: string }[]>`select id from alerts limit 1`;
    const things = { ...MISSING, ...ids, keyId, alertId: alert?.id ?? MISSING.alertId };
    // One after another: a browser with more simultaneous requests than pages make is refused.
    const asked: [string, () => Promise<Response>][] = [
      ...allPlaces().map(({ route, path }): [string, () => Promise<Response>] => [
        route,
        () => client.get(path(ids)),
      ]),
      ...PROCEDURES.filter(({ type }) => type === 'query').flatMap(({ path, schemas }) =>
        inputsOf(path, schemas).map((input): [string, () => Promise<Response>] => [
          path,
          () => client.query(path, input.of(things)),
        ]),
      ),
    ];
    let answered = 0;
    for (const [what, ask] of asked) {
      const answer = await ask();
      const received = (await answer.text()) + JSON.stringify([...answer.headers]);
      // A key's last 30 characters belong to its secret part only.
      for (const key of made) expect(received.includes(key.slice(-30)), what).toBe(false);
      if (answer.status === 200) answered += 1;
      if (what === 'keys.list') expect(received).toContain(keyId);
    }
    expect(answered).toBeGreaterThan(60);
  });

  test('a planted key, text and number are in no log, error, URL or job, and the key is in no table', async () => {
    test.setTimeout(240_000);
    const { stack, database, owner, post, logged, ids, mails, key } = attacked();
    const instance = ids.numberId;
    const planted = [key, ...made];
    const wrong = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const said: string[] = [];
    const keep = async (answer: Response) => {
      for (const [name, value] of answer.headers) said.push(`${name}: ${value}`);
      said.push(await answer.text());
      return answer.status;
    };
    const fields = {
      text: { body: CANARY },
      image: { url: `http://${CANARY}.invalid/${CANARY}.jpg?${CANARY_NUMBER}`, caption: CANARY },
      document: { url: `http://127.0.0.1:9/${CANARY}`, filename: `${CANARY}.pdf`, caption: CANARY },
      audio: { url: `ftp://${CANARY}/x` },
      location: { latitude: 999, longitude: CANARY, name: CANARY, address: CANARY },
      contact: { contactName: CANARY, contactPhone: CANARY_NUMBER },
    };
    for (const secret of planted.slice(0, 2)) {
      for (const [kind, more] of Object.entries(fields)) {
        const body = { to: CANARY_NUMBER, ...more };
        await keep(
          await post(kind, body, {
            'x-api-key': secret,
            prefer: 'respond-async',
            'idempotency-key': `${CANARY}${kind}`,
          }),
        );
        await keep(await post(kind, { ...body, to: `+${CANARY_NUMBER}` }, { 'x-api-key': secret }));
        await keep(await post(kind, { ...body, token: secret, to: [CANARY] }, { 'x-api-key': wrong }));
        await keep(await post(kind, `{"to":"${CANARY_NUMBER}","token":"${secret}"`, { 'x-api-key': secret }));
      }
      await keep(await post('text', { to: CANARY_NUMBER, body: CANARY }, { 'x-api-key': secret }));
      await keep(
        await post(
          'text',
          { to: `${CANARY_NUMBER}@g.us`, body: CANARY.repeat(2000) },
          { 'x-api-key': secret },
        ),
      );
      await keep(await fetch(`${stack.url}/v1/${CANARY}?x-api-key=${secret}&token=${secret}`));
      await keep(
        await fetch(`${stack.url}/v1/messages/${CANARY}`, { headers: { authorization: `Bearer ${secret}` } }),
      );
      await keep(await fetch(`${stack.url}/v1/status`, { headers: { authorization: `Bearer ${secret}x` } }));
    }
    const client = await signIn(stack.url, owner);
    // The database fails during a request. Its failure during a page is covered above.
    await database.sql.unsafe('alter table message_events rename to message_events_away');
    const broken = await keep(await post('text', { to: CANARY_NUMBER, body: `${CANARY} broken` })).catch(
      () => 0,
    );
    await database.sql.unsafe('alter table message_events_away rename to message_events');
    expect(broken).toBe(500);
    await signIn(stack.url, { email: `${CANARY}@example.org`, password: `${CANARY} ${owner.password}` });
    for (const [name, input] of Object.entries({
      'numbers.setLabel': { numberId: CANARY, label: CANARY },
      'sandbox.receive': { numberId: instance, from: CANARY_NUMBER, body: CANARY },
      'user.confirmPassword': { password: CANARY },
      'user.resetPassword': { token: CANARY, password: `${CANARY} a new one` },
      'numbers.openLinking': { numberId: instance, pairingPhone: CANARY_NUMBER },
      'keys.create': { numberId: CANARY, name: CANARY, expiresAt: CANARY },
    }))
      await keep(await client.mutate(name, input));
    await keep(await client.query('messages.list', { search: CANARY }));

    // The pairing code gives a session to anybody who reads it in time.
    const { instance: linking } = await stack.cli<{ instance: string }>(
      ...['number', 'add', '--email', owner.email, '--network', 'sandbox'],
    );
    const ofLinking = { numberId: linking };
    const asked = { ...ofLinking, pairingPhone: '999111222333' };
    expect((await client.mutate('numbers.openLinking', asked)).status).toBe(200);
    let code = '';
    await expect
      .poll(
        async () => {
          const answer = await client.query('numbers.linking', ofLinking);
          expect(answer.headers.get('cache-control')).toBe('no-store');
          type Shown = { result: { data: { pairingCode: string | null } } };
          code = ((await answer.json()) as Shown).result.data.pairingCode ?? '';
          return code.length;
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(7);
    const [stored] = await database.sql<{ row: string }[]>`
      select l::text as row from number_links l where number_id = ${linking}`;
    expect(stored?.row).not.toContain(code);
    expect((await client.mutate('numbers.cancelLinking', ofLinking)).status).toBe(200);

    // Refused mails, by a server that quotes them: a reset link and an alert.
    const mailed = { email: `${CANARY}+${CANARY_NUMBER}@example.org`, password: owner.password };
    await stack.cli('account', 'create', '--email', mailed.email, '--password', mailed.password);
    await keep(await client.mutate('user.mailResetLink', { email: mailed.email }));
    const nobody = await signIn(stack.url, mailed);
    expect(await keep(await nobody.query('admin.accounts', { search: CANARY }))).toBe(403);
    const elsewhere = { origin: `https://${CANARY}.example` };
    expect(await keep(await nobody.mutate('user.endAllSignIns', {}, elsewhere))).toBe(403);
    await database.sql`update numbers set label = ${`${CANARY} ${CANARY_NUMBER}`} where id = ${instance}`;
    await database.sql`
      insert into memberships (account_id, user_id, role)
      select ${ids.accountId}, id, 'member' from users where email = ${mailed.email}`;
    await database.sql`
      with alert as (
        insert into alerts (id, event_key, account_id, number_id, kind, facts, happened_at)
        values ('alr_canary', 'canary', ${ids.accountId}, ${instance}, 'logged_out',
          ${JSON.stringify({ code: 'legacy', text: CANARY })}::text::jsonb, now()) returning id)
      insert into alert_mails (alert_id, user_id, next_try_at)
      select alert.id, users.id, now() from alert, users where users.email = ${mailed.email}`;
    const refusals = ['a link to a new password could not be mailed', 'the mail of an alert was not sent'];
    let logs = '';
    await expect
      .poll(
        async () => {
          // Other alerts of this file are refused too: the two of this test are found by their words.
          const refused = mails.said.filter((words) => words.includes(CANARY)).length;
          logs = await logged();
          return [refused > 1, ...refusals.filter((what) => !logs.includes(what))];
        },
        { timeout: 60_000 },
      )
      .toEqual([true]);
    expect(logs).not.toContain('/reset#');
    expect(logs).toContain('digest');
    expect(logs).not.toContain('params:');

    // A failed attempt is reported without its password.
    for (const refused of [
      'a sign-in was refused',
      'a dashboard request was forbidden',
      'of another site was refused',
    ])
      expect(logs).toContain(refused);
    expect(logs).toContain('"level":"debug"');
    const jobs = await database.sql<{ row: string }[]>`select j::text as row from pgboss.job j`;
    const waste = [logs, jobs.map(({ row }) => row).join('\n')];
    for (const trace of [CANARY, CANARY_NUMBER, ...planted, wrong, owner.password, code])
      for (const text of waste) expect(text.split('\n').filter((line) => line.includes(trace))).toEqual([]);
    const dump = await dumpAsText(database);
    expect(dump).toContain(CANARY);
    // The secret part of a key is nowhere, not even in answers to callers.
    for (const secret of planted) {
      for (const text of [dump, said.join('\n')]) expect(text.includes(secret)).toBe(false);
      expect(dump.includes(secret.slice(-30))).toBe(false);
    }
  });
}
