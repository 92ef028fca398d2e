import type { Cause } from '#server/core/number/cause.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { holdNumber } from '#server/numbers/hold-number.ts';
import { invite } from '#server/people/invitations.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { CLI, makeNumber, queueMessage } from '#server/testing/domain.ts';
import type { WithSql } from '#server/testing/sql.ts';
import type { Stack } from './stack.ts';

const STATES: [NumberStatus, Cause | null][] = [
  ['BLOCKED', { code: 'terms_blocked' }],
  ['LOGGED_OUT', { code: 'logged_out', reason: null }],
  ['CONFLICT', null],
  ['RECONNECTING', null],
];

/** Accounts in trouble, with their numbers, and what changes them further. */
export async function fillAccounts({ cli }: Stack, database: WithSql, password: string) {
  const person = async (email: string, ...more: string[]) => {
    const account = ['account', 'create', '--email', email, '--password', password, ...more];
    return { email, accountId: (await cli<{ account: string }>(...account)).account };
  };
  const plan = (accountId: string, numbersIncluded: number, paidUntil: string) =>
    activatePlan({ database, accountId, actor: CLI }, { numbersIncluded, paidUntil, amountCents: 2500 });
  const queue = async (accountId: string, numberId: string, count: number) => {
    for (let at = 0; at < count; at++)
      await queueMessage(database, {
        ...{ accountId, numberId, recipient: `49152288173${String(at).padStart(2, '0')}@c.us` },
        content: { type: 'text', body: `Your bike ${at + 1} is ready. Pick it up any day until 18:00.` },
      });
    await database.sql`
      update messages set deadline_at = clock_timestamp() + interval '5 hours' where status = 'queued'`;
  };
  const enter = async (id: string, status: NumberStatus, given: Cause | null, ago: string) => {
    const cause = given && JSON.stringify(given);
    await database.sql`
      update numbers set status = ${status}, cause = ${cause}::jsonb,
        status_since = clock_timestamp() - ${ago}::interval where id = ${id}`;
    await database.sql`
      insert into number_events (number_id, status, cause, at)
      values (${id}, ${status}, ${cause}::jsonb, clock_timestamp() - ${ago}::interval)`;
  };
  const linked = async (accountId: string, label: string, phone: string) => {
    const id = await makeNumber(database, { accountId, label, network: 'whatsapp' });
    // A worker that does not exist holds the number: there is no network here.
    await database.sql`
      insert into leases (number_id, worker_id, fence, expires_at, renewed_at)
      values (${id}, 'wrk_of_a_picture', 1000, clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour')
      on conflict (number_id) do update set worker_id = excluded.worker_id, fence = excluded.fence,
        expires_at = excluded.expires_at, renewed_at = excluded.renewed_at`;
    await database.sql`
      update numbers set phone_number = ${phone}, first_linked_at = clock_timestamp() - interval '9 days',
        created_at = clock_timestamp() - interval '9 days' where id = ${id}`;
    await database.sql`delete from number_events where number_id = ${id}`;
    await enter(id, 'UNLINKED', null, '217 hours');
    await enter(id, 'CONNECTED', null, '216 hours');
    return id;
  };

  const tern = await person('jonas@tern-and-daughters-repair-shop.example');
  await plan(tern.accountId, 9, '2099-12-31');
  const numbers = new Map<string, string>();
  for (const [at, [status, cause]] of STATES.entries()) {
    const id = await linked(tern.accountId, `Counter ${at + 1}`, `4917604069${at}10`);
    await enter(id, status, cause, '9 hours');
    numbers.set(status, id);
  }
  const fresh = await makeNumber(database, { ...tern, label: 'Not linked yet', network: 'whatsapp' });
  const ended = await person('mia@fjord.example');
  await plan(ended.accountId, 2, '2099-12-31');
  const stopped = await linked(ended.accountId, 'Harbour', '4915550000001');
  const last = await queueMessage(database, { ...ended, numberId: stopped });
  await database.sql`update messages set status = 'sending' where id = ${last}`;
  await database.sql`
    update messages set status = 'sent', sent_at = clock_timestamp(), dispatched_at = clock_timestamp() where id = ${last}`;
  await queue(ended.accountId, stopped, 2);
  await plan(ended.accountId, 2, '2026-09-30');
  const late = await person('noor@estuary.example');
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await plan(late.accountId, 2, yesterday);
  const running = await linked(late.accountId, 'Ferry desk', '4915550000002');
  const kim = await person('kim@two-lanes.example');
  await plan(kim.accountId, 3, '2099-12-31');
  const again = await linked(kim.accountId, 'Linked again', '4915550000003');
  const holds = await linked(kim.accountId, 'Night shift', '4915550000004');
  await queue(kim.accountId, again, 3);
  await database.sql`update messages set set_aside = true where number_id = ${again}`;
  await database.sql`update numbers set held_at = clock_timestamp(), held_to_decide = true where id = ${again}`;
  await queue(kim.accountId, holds, 2);
  await holdNumber({ database, accountId: kim.accountId, actor: CLI }, { numberId: holds });
  const restricted = await linked(kim.accountId, 'Newsletter', '4915550000005');
  await database.sql`
    update numbers set linked_at = clock_timestamp() - interval '9 days' where id = ${restricted}`;
  await database.sql`
    insert into number_health (number_id, timelock_kind, timelock_until, restricted_since, read_at)
    values (${restricted}, 'DEFAULT', clock_timestamp() + interval '53 hours', clock_timestamp(), clock_timestamp())`;
  await database.sql`
    insert into recipients (number_id, recipient, asked_at)
    select ${restricted}, '49155500' || n || '@c.us', clock_timestamp() - (n - 10000) * interval '1 minute' from generate_series(10001, 10031) n`;
  const gone = await person('lena@gone.example');
  const novice = await person('ada@new.example');
  const viewer = await person('otto@operator.example', '--admin');
  const reset = new URL((await cli<{ link: string }>('account', 'reset', '--email', novice.email)).link);
  const { link } = await invite({ database, ...tern, actor: CLI }, { role: 'member', note: 'Jonas' });
  const joining = new URL(link);
  return {
    ...{ tern, ended, late, kim, gone, novice, viewer },
    ...{ numbers, fresh, stopped, running, again, holds, restricted },
    ...{ reset, joining },
    ...{ plan, queue, enter },
  };
}
