import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { openDatabase, setDatabase } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import { ERROR_ANSWERS } from './openapi-answers.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const SECRET = 'a text that nobody but its reader may see';
const RIGHT = { to: '4915228817386', body: SECRET };
const send = (headers: Record<string, string> = {}) =>
  world.call('/messages/text', { key: caller.key, body: RIGHT, headers });
const status = () => world.call('/status', { key: caller.key });

/** The lines that are logged while `work` runs. */
async function logged(work: () => Promise<unknown>): Promise<string> {
  const written: string[] = [];
  const error = vi.spyOn(log, 'error').mockImplementation((...line: unknown[]) => {
    written.push(
      JSON.stringify(line, (_, value) =>
        value instanceof Error ? { ...value, message: value.message } : value,
      ),
    );
  });
  try {
    await work();
  } finally {
    error.mockRestore();
  }
  return written.join('\n');
}

describe('an internal error', () => {
  test('is 500 with a fixed text and the request’s id in the log', async () => {
    const { sql } = world.database;
    await sql`alter table messages rename to messages_gone`;
    try {
      let answer: Awaited<ReturnType<typeof send>> | undefined;
      const lines = await logged(async () => {
        answer = await send();
      });
      expect(answer?.status).toBe(500);
      expect(answer?.body).toEqual({ success: false, error: ERROR_ANSWERS[500].example });
      expect(lines).toContain(String(answer?.headers['x-request-id']));
    } finally {
      await sql`alter table messages_gone rename to messages`;
    }
  });

  test('of a read is 500 as well', async () => {
    const { sql } = world.database;
    await sql`alter table leases rename to leases_gone`;
    try {
      await logged(async () => expect((await status()).status).toBe(500));
    } finally {
      await sql`alter table leases_gone rename to leases`;
    }
  });
});

describe('an unreachable database', () => {
  test('is 503 with Retry-After, for every valid-looking key and endpoint', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing', 1);
    setDatabase(away);
    try {
      await logged(async () => {
        for (const answer of [await send(), await status()]) {
          expect(answer.status).toBe(503);
          expect(answer.body).toEqual({ success: false, error: ERROR_ANSWERS[503].example });
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        }
        expect((await send()).headers['x-send-outcome']).toBe('not_sent');
        expect((await status()).headers['x-send-outcome']).toBeUndefined();
        // Whether an earlier request with this key made a message is not known.
        const repeat = await send({ 'idempotency-key': 'order-1' });
        expect([repeat.status, repeat.headers['x-send-outcome']]).toEqual([503, undefined]);
      });
    } finally {
      setDatabase(world.database);
      await away.close();
    }
  });

  test('keeps a missing or mistyped key at 401', async () => {
    const away = openDatabase('postgres://nobody@127.0.0.1:1/nothing', 1);
    setDatabase(away);
    try {
      expect((await world.call('/status')).status).toBe(401);
      expect((await world.call('/status', { key: 'mistyped' })).status).toBe(401);
    } finally {
      setDatabase(world.database);
      await away.close();
    }
  });

  test('a statement that the server cancels is 503', async () => {
    const { sql } = world.database;
    await sql`create function slow() returns trigger language plpgsql as
      $$ begin raise exception 'terminating' using errcode = '57P01'; end $$`;
    await sql`create trigger slow before insert on messages for each row execute function slow()`;
    try {
      await logged(async () => expect((await send()).status).toBe(503));
    } finally {
      await sql`drop trigger slow on messages`;
    }
  });
});

test('a send that PostgreSQL rolls back in a deadlock is 503, not_sent, and can be repeated', async () => {
  const { sql } = world.database;
  await sql`create function wait_turn() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(4001); return new; end $$`;
  await sql`create trigger wait_turn before insert on messages for each row execute function wait_turn()`;
  const options = { headers: { prefer: 'respond-async' } };
  const asyncSend = () => world.call('/messages/text', { key: caller.key, body: RIGHT, ...options });
  try {
    await logged(async () => {
      let answer: ReturnType<typeof asyncSend> | undefined;
      await sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(4001)`;
        answer = asyncSend();
        await vi.waitFor(async () => {
          const waiting =
            await sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4001 and not granted`;
          expect(waiting).toHaveLength(1);
        }, 10_000);
        // The send waits for this transaction, and this one for the send, which began to wait first.
        await tx`select 1 from numbers where id = ${caller.numberId} for no key update`;
      });
      const refused = await answer;
      expect(refused?.status).toBe(503);
      expect(refused?.body).toEqual({ success: false, error: OUTCOMES.unavailable.says.databaseBusy.answer });
      expect(refused?.headers).toMatchObject({ 'x-send-outcome': 'not_sent', 'retry-after': '5' });
    });
    expect((await asyncSend()).status).toBe(202);
  } finally {
    await sql`drop trigger wait_turn on messages`;
    await sql`delete from messages`;
  }
});

describe('a full database', () => {
  test('is 503 with Retry-After and its own sentence, nothing is accepted, and sending resumes when there is space', async () => {
    const { sql } = world.database;
    await sql`create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`;
    await sql`create trigger no_space before insert on messages for each row execute function no_space()`;
    try {
      await logged(async () => {
        const { status: given, body, headers } = await send();
        expect(given).toBe(503);
        expect(body).toEqual({ success: false, error: OUTCOMES.unavailable.says.databaseFull.answer });
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      });
    } finally {
      await sql`drop trigger no_space on messages`;
    }
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from messages`;
    expect(row?.n).toBe(0);
    const again = await world.call('/messages/text', {
      key: caller.key,
      body: RIGHT,
      headers: { prefer: 'respond-async' },
    });
    expect(again.status).toBe(202);
  });

  test('that accepts no more connections is 503 with Retry-After', async () => {
    const { sql, url: given } = world.database;
    const role = `crowded_${new URL(given).pathname.slice(1)}`;
    await sql.unsafe(`create role ${role} login password 'crowded' connection limit 0`);
    const url = Object.assign(new URL(given), { username: role, password: 'crowded' });
    const crowded = openDatabase(url.href, 1);
    setDatabase(crowded);
    try {
      await logged(async () => {
        const answer = await status();
        expect(answer.status).toBe(503);
        expect(answer.body).toEqual({ success: false, error: OUTCOMES.unavailable.says.database.answer });
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      });
    } finally {
      setDatabase(world.database);
      await crowded.close();
      await sql.unsafe(`drop role ${role}`);
    }
  });
});
