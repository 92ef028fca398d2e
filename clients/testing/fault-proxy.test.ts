import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FAULTS, type Fault, startFaultProxy } from './fault-proxy.ts';

let got = 0;
const server = http.createServer(async (request, response) => {
  const body = await text(request);
  got += 1;
  response.end(`answer to ${body}`);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

/** How often the server gets a request, and what the client sees: a status, a broken connection, or nothing. */
const EFFECTS: Record<Fault, [times: number, seen: number | 'broken' | 'nothing']> = {
  'lose-request': [0, 'broken'],
  'swallow-request': [0, 'nothing'],
  'gateway-refuses': [0, 502],
  'lose-answer': [1, 'broken'],
  'cut-answer': [1, 'broken'],
  'swallow-answer': [1, 'nothing'],
  'gateway-times-out': [1, 504],
  'delay-request': [1, 200],
  'delay-answer': [1, 200],
  'duplicate-request': [2, 200],
  'late-duplicate-request': [2, 200],
  'duplicate-answer': [1, 200],
};

test.each(FAULTS)('%s does to a request what its name says', async (fault) => {
  const { port } = server.address() as AddressInfo;
  const target = `http://127.0.0.1:${port}`;
  const proxy = await startFaultProxy({ target, rate: 1, faults: [fault], delayMsMax: 20 });
  got = 0;
  const [times, seen] = EFFECTS[fault];
  const hangUp = new AbortController();
  const answered = fetch(`${proxy.url}/x`, { method: 'POST', body: 'me', signal: hangUp.signal }).then(
    async (response) => [response.status, await response.text()],
    () => 'broken',
  );
  if (seen === 'nothing') {
    await vi.waitFor(() => expect([proxy.counts[fault], got]).toEqual([1, times]));
    hangUp.abort();
  }
  const result = await answered.catch(() => 'broken');
  if (seen === 200) expect(result).toEqual([200, 'answer to me']);
  else if (typeof seen === 'number') expect(result).toEqual([seen, '<h1>Bad gateway</h1>']);
  else expect(result).toBe('broken');
  await proxy.settled();
  expect(got).toBe(times);
  await proxy.stop();
});

test('equal seeds draw equal faults, and the proxy counts them', async () => {
  const { port } = server.address() as AddressInfo;
  const counts = await Promise.all(
    [7, 7, 8].map(async (seed) => {
      const quick = ['delay-answer', 'duplicate-request', 'gateway-refuses'] as const;
      const target = `http://127.0.0.1:${port}`;
      const proxy = await startFaultProxy({ target, rate: 0.5, faults: quick, delayMsMax: 1, seed });
      for (let n = 0; n < 20; n += 1) await (await fetch(proxy.url)).text();
      const counted = await (await fetch(`${proxy.url}/__faults`)).json();
      await proxy.stop();
      return counted;
    }),
  );
  expect(counts[0]).toEqual(counts[1]);
  expect(counts[0]).not.toEqual(counts[2]);
  expect(Object.values(counts[0]).reduce((sum: number, n) => sum + Number(n), 0)).toBe(20);
});
