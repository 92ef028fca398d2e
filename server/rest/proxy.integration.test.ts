import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

describe('behind a trusted proxy', () => {
  let proxied: RestWorld;
  let caller: TestCaller;
  beforeAll(async () => {
    proxied = await startRest({ trustProxy: true });
    caller = await makeCaller(proxied);
  });
  afterAll(() => proxied[Symbol.asyncDispose]());

  const FROM = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };

  test('a request received over HTTPS is served and counts under the address that the proxy saw', async () => {
    const headers = { ...FROM, 'x-forwarded-proto': 'https' };
    expect((await proxied.call('/status', { key: caller.key, headers })).status).toBe(200);
    expect((await proxied.call('/status', { key: 'wrong', headers })).status).toBe(401);
    const rows = await proxied.database.sql`select key from rate_buckets where key like 'bad-keys:%'`;
    expect(rows.map(({ key }) => key)).toEqual(['bad-keys:198.51.100.7']);
  });

  test.each([
    { what: 'plain HTTP', headers: { ...FROM, 'x-forwarded-proto': 'http' } },
    { what: 'claimed HTTPS, then plain HTTP', headers: { ...FROM, 'x-forwarded-proto': 'https, http' } },
    { what: 'who knows what', headers: FROM },
  ])('$what is 400 before the key is read', async ({ headers }) => {
    for (const key of [caller.key, 'wrong']) {
      const answer = await proxied.call('/status', { key, headers });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ success: false, error: expect.stringContaining('HTTPS only') });
    }
    expect((await proxied.call('/openapi.json', { headers })).status).toBe(400);
  });
});
