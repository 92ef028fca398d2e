import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../e2e/stack.ts';
import { type BenchNumber, type Browserless, startBrowserless } from './browserless.ts';
import { untilNothingWaits } from './many-numbers.ts';
import { percentile, summarise } from './statistics.ts';

const SLOW_HOSTS = 50;
/** Pairs of rounds, with and without the slow hosts, so that other load on the machine affects both. */
const PAIRS = 12;
/** A message of the measured account; frequent enough to keep the machine awake. */
const SENDS = 100;
const IDLE_MS = 40;
/** Takes longer than a fetch may, so that each of the 50 stays open until its round ends. */
const BYTES = 1000;
const BYTE_EVERY_MS = 1000;

/**
 * The cost of 50 slow files for everybody else: POST to 200 of one account, with and without 25 others whose
 * two simultaneous fetches hang on slow hosts. `noise` is the same ratio between two halves of the rounds
 * without slow hosts, which is 1 on an idle machine.
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
    const alone: number[][] = [];
    const beside: number[][] = [];
    let openAtTheEnd = SLOW_HOSTS;
    const withSlowHosts = async () => {
      for (const number of others)
        for (const file of ['a', 'b'])
          await bench.post(
            number,
            { to: '491700000001', url: `http://${slow.host}/${number.numberId}/${file}.jpg` },
            'respond-async',
          );
      while (slow.open() < SLOW_HOSTS) await delay(20);
      beside.push(await timings(bench, measured));
      openAtTheEnd = Math.min(openAtTheEnd, slow.open());
      slow.cutOff();
      // The messages whose files were cut off are refused.
      await untilNothingWaits(bench.database);
    };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      // They take turns in going first, so that neither always runs second.
      if (pair % 2 === 1) await withSlowHosts();
      alone.push(await timings(bench, measured));
      if (pair % 2 === 0) await withSlowHosts();
    }
    const half = (of: 0 | 1) => alone.filter((_, turn) => turn % 2 === of).flat();
    return {
      slowHosts: SLOW_HOSTS,
      openAtTheEnd,
      alone: summarise(alone.flat()),
      beside: summarise(beside.flat()),
      ratio: { p50: ratio(beside.flat(), alone.flat(), 0.5), p95: ratio(beside.flat(), alone.flat(), 0.95) },
      ratioOfPairs: {
        p50: middle(beside.map((turn, n) => ratio(turn, alone[n] ?? [], 0.5))),
        p95: middle(beside.map((turn, n) => ratio(turn, alone[n] ?? [], 0.95))),
      },
      noise: { p50: ratio(half(0), half(1), 0.5), p95: ratio(half(0), half(1), 0.95) },
    };
  } finally {
    await bench.stop();
    await slow.stop();
  }
}

const ratio = (a: number[], b: number[], share: number) =>
  Math.round((percentile(a, share) / percentile(b, share)) * 100) / 100;
const middle = (sample: number[]) => percentile(sample, 0.5);

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

/** A server of pictures that never end. */
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
    cutOff: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
