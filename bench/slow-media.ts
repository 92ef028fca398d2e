import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../e2e/stack.ts';
import { type BenchNumber, type Browserless, startBrowserless } from './browserless.ts';
import { percentile, summarise } from './statistics.ts';

const SLOW_HOSTS = 50;
/** A message of the account that is measured; it comes often enough that none finds the machine asleep. */
const SENDS = 200;
const IDLE_MS = 40;
/** More than they can be in the time that a fetch is given: each of the 50 stays open to its end. */
const BYTES = 1000;
const BYTE_EVERY_MS = 1000;

/**
 * What 50 files that trickle in cost everybody else: POST to 200 of one account, with and without 25 others
 * whose two fetches at a time hang on slow hosts. Everything in one run; the ratio is what counts.
 */
export async function benchSlowMedia() {
  const slow = await serveSlowly();
  const bench = await startBrowserless({
    numbers: 1 + SLOW_HOSTS / 2,
    accountEach: true,
    intervalMs: 0,
    mediaAllowHosts: slow.host,
  });
  try {
    const [measured, ...others] = bench.numbers;
    if (!measured) throw new Error('there is no number');
    await timings(bench, measured);
    const alone = await timings(bench, measured);
    for (const number of others)
      for (const file of ['a', 'b'])
        await bench.post(
          number,
          { to: '491700000001', url: `http://${slow.host}/${number.numberId}/${file}.jpg` },
          'respond-async',
        );
    while (slow.open() < SLOW_HOSTS) await delay(20);
    const beside = await timings(bench, measured);
    const openAtTheEnd = slow.open();
    return {
      slowHosts: SLOW_HOSTS,
      openAtTheEnd,
      alone: summarise(alone),
      beside: summarise(beside),
      ratio: { p50: ratio(beside, alone, 0.5), p95: ratio(beside, alone, 0.95) },
    };
  } finally {
    await bench.stop();
    await slow.stop();
  }
}

const ratio = (a: number[], b: number[], share: number) =>
  Math.round((percentile(a, share) / percentile(b, share)) * 100) / 100;

async function timings(bench: Browserless, number: BenchNumber): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < SENDS; n += 1) {
    await delay(IDLE_MS);
    const from = performance.now();
    const status = await bench.post(number, { to: '491700000001', body: `message ${n}` });
    if (status !== 200) throw new Error(`POST answered ${status}`);
    taken.push(performance.now() - from);
  }
  return taken;
}

/** A server of pictures that never come to their end. */
async function serveSlowly() {
  const port = await freePort();
  let open = 0;
  const server = http.createServer((_, response) => {
    open += 1;
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': BYTES });
    response.write(Buffer.from([0xff, 0xd8, 0xff]));
    const timer = setInterval(() => response.write(Buffer.from([0])), BYTE_EVERY_MS);
    response.once('close', () => {
      clearInterval(timer);
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${port}`,
    open: () => open,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
