import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { makeSecrets, secret } from '#server/platform/secrets.ts';
import { withSql } from '#server/testing/sql.ts';
import { startStack } from '../e2e/stack.ts';
import { startChildServer } from './child-server.ts';
import { linkNumber } from './link-number.ts';
import { loadTest } from './load.ts';
import { productDatabaseUrl } from './product-database.ts';

const CONNECTIONS = 50;
const ROUND_SECONDS = 4;
const ROUNDS = 3;
/** Each connection has its own key, of another number. */
const ACCOUNTS = 5;
const ACTOR = { kind: 'cli' } as const;

/**
 * `GET /v1/status`, a validation error and a 401 at 50 connections, beside a bare `node:http` server with the
 * same look-up: the difference is what the product adds. The rounds alternate, so that all run under the same
 * load. With `bareKeys` and `statusKeys` each connection has another number's key, so look-ups are not shared.
 */
export async function benchStatus() {
  makeSecrets();
  const pepper = { KEY_PEPPER: secret('keyPepper') };
  const stack = await startStack({
    env: {
      ...pepper,
      RATE_READS_PER_MINUTE: '1000000',
      RATE_SENDS_PER_MINUTE: '1000000',
      RATE_BAD_KEYS_PER_MINUTE: '1000000',
    },
  });
  const databaseUrl = await productDatabaseUrl(stack.dataDir);
  const bare = await startChildServer('bare-server.ts', {
    ...pepper,
    DATABASE_URL: databaseUrl,
    DATA_DIR: stack.dataDir,
  });
  try {
    const key = (await linkNumber(stack)).key;
    const headers = { 'x-api-key': key };
    const keys = (await makeKeys(databaseUrl)).map((own) => ({ 'x-api-key': own }));
    const wrongKey = `${key.slice(0, 40)}${key[40] === 'a' ? 'b' : 'a'}${key.slice(41)}`;
    const json = { ...headers, 'content-type': 'application/json' };
    const targets = {
      bare: { url: `${bare.url}/v1/status`, headers, status: 200 },
      bareKeys: { url: `${bare.url}/v1/status`, headers: keys, status: 200 },
      status: { url: `${stack.url}/v1/status`, headers, status: 200 },
      statusKeys: { url: `${stack.url}/v1/status`, headers: keys, status: 200 },
      validation: { url: `${stack.url}/v1/messages/text`, headers: json, body: '{"to":"+49"}', status: 400 },
      unauthorized: { url: `${stack.url}/v1/status`, headers: {}, status: 401 },
      wrongKey: { url: `${stack.url}/v1/status`, headers: { 'x-api-key': wrongKey }, status: 401 },
    };
    const rounds = new Map<string, { perSecond: number; p50: number; p99: number }[]>();
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, target] of Object.entries(targets)) {
        const seconds = round < 0 ? 2 : ROUND_SECONDS;
        const result = await loadTest({ ...target, connections: CONNECTIONS, seconds });
        if (round >= 0) rounds.set(name, [...(rounds.get(name) ?? []), result]);
      }
    }
    const best = Object.fromEntries(
      [...rounds].map(([name, all]) => [name, all.reduce((a, b) => (b.perSecond > a.perSecond ? b : a))]),
    );
    const share = (name: string, floor = 'bare') =>
      round((best[name]?.perSecond ?? 0) / (best[floor]?.perSecond ?? 1));
    return {
      connections: CONNECTIONS,
      ...best,
      ratios: {
        'status of bare, one key': share('status'),
        'status of bare, a key each': share('statusKeys', 'bareKeys'),
        'validation of bare': share('validation'),
        '401 of bare': share('unauthorized'),
        '401 of bare, a wrong key': share('wrongKey'),
      },
    };
  } finally {
    bare.process.kill();
    await stack.stop();
  }
}

const round = (ratio: number) => Math.round(ratio * 100) / 100;

/** A key for each connection, each of another number. */
async function makeKeys(databaseUrl: string): Promise<string[]> {
  const database = withSql(openDatabase(databaseUrl, 4));
  try {
    const each = CONNECTIONS / ACCOUNTS;
    const keys: string[] = [];
    for (let account = 0; account < ACCOUNTS; account++) {
      const { accountId } = await signUp(
        { database },
        {
          email: `keys-${account}@example.com`,
          password: 'a kingfisher dives at dusk',
          operator: ACTOR,
        },
      );
      await activatePlan(
        { database, accountId, actor: ACTOR },
        { numbersIncluded: each, paidUntil: '2999-12-31' },
      );
      for (let n = 0; n < each; n++) {
        const { id: numberId } = await addNumber(
          { database, accountId, actor: ACTOR },
          { network: 'sandbox' },
        );
        keys.push((await createApiKey({ database, accountId, actor: ACTOR }, { numberId })).key);
      }
    }
    return keys;
  } finally {
    await stopClientBoss();
    await database.close();
  }
}
