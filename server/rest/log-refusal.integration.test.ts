import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { deactivatePlan } from '#server/plans/activate-plan.ts';
import { log } from '#server/platform/log.ts';
import { CLI } from '#server/testing/domain.ts';
import { type Call, makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import { refuseMalformed } from '../start/malformed-request.ts';

let world: RestWorld;
beforeAll(async () => {
  world = await startRest();
});
afterAll(() => world[Symbol.asyncDispose]());

interface Line {
  requestId?: string;
  status?: number;
  accountId?: string;
  address?: string;
}
let lines: { fields: Line; msg: string }[] = [];
beforeEach(() => {
  lines = [];
  for (const level of ['info', 'warn'] as const)
    vi.spyOn(log, level).mockImplementation((...[fields, msg]: unknown[]) => {
      lines.push({ fields: fields as Line, msg: String(msg) });
    });
});
afterEach(() => vi.restoreAllMocks());
const refused = () => lines.filter(({ msg }) => msg === 'request refused').map(({ fields }) => fields);

const TEXT = 'a text that nobody but its reader may see';
const RIGHT = { to: '4915228817386', body: TEXT };

const CASES: Record<string, (caller: TestCaller) => Promise<Call>> = {
  '400 of a wrong parameter': async ({ key }) => ({ key, body: { ...RIGHT, to: `${RIGHT.to}x` } }),
  '400 of a body that is no JSON': async ({ key }) => ({ key, body: `{"body":"${TEXT}` }),
  '401 without a key': async () => ({ body: RIGHT }),
  '401 of a wrong key': async ({ key }) => ({ key: `${key}x`, body: RIGHT }),
  '402 of an ended plan': async ({ key, accountId }) => {
    await deactivatePlan({ database: world.database, accountId, actor: CLI });
    return { key, body: RIGHT };
  },
  '404 of a removed number': async (caller) => {
    await removeNumber({ database: world.database, ...caller, actor: CLI }, caller);
    return { key: caller.key, body: RIGHT };
  },
  '409 of a number that is not connected': async ({ key, numberId }) => {
    await world.database.sql`update numbers set status = 'LOGGED_OUT' where id = ${numberId}`;
    return { key, body: RIGHT };
  },
  '413 of a body that is too large': async ({ key }) => ({
    key,
    body: { ...RIGHT, body: TEXT.repeat(10_000) },
  }),
  '429 of the rate limit': async ({ key, accountId }) => {
    await world.database
      .sql`insert into rate_buckets values (${`sends:${accountId}`}, -100, clock_timestamp())`;
    return { key, body: RIGHT };
  },
};

describe('a refused request', () => {
  test.each(Object.entries(CASES))('is one line with its X-Request-Id: %s', async (name, prepare) => {
    const caller = await makeCaller(world);
    const call = await prepare(caller);
    lines = [];
    const answer = await world.call('/messages/text', call);
    expect(String(answer.status)).toBe(name.slice(0, 3));
    expect(refused()).toEqual([
      expect.objectContaining({
        requestId: answer.headers['x-request-id'],
        status: answer.status,
        route: 'POST /messages/text',
        ...(answer.status === 401 ? { address: '127.0.0.1' } : { accountId: caller.accountId }),
      }),
    ]);
    const written = JSON.stringify(lines);
    for (const secret of [TEXT, RIGHT.to, caller.key]) expect(written).not.toContain(secret);
    expect(JSON.stringify(refused()).length).toBeLessThan(500);
  });

  test('that is not valid HTTP is one line with its X-Request-Id', async () => {
    const server = createServer();
    server.on('clientError', refuseMalformed);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const answer = await world.raw('not HTTP\r\n\r\n', port);
    server.close();
    const id = /X-Request-Id: (\S+)/.exec(answer)?.[1];
    expect(refused()).toEqual([{ requestId: id, status: 400, code: 'malformed', address: '127.0.0.1' }]);
  });
});
