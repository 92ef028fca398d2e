import { startWorld, type World } from '../e2e/faults/world.ts';
import { steadyLoad } from './load.ts';

const NUMBERS = 8;
const PER_SECOND = 300;
const SECONDS = 20;
const SENDING_MS = 5000;
const WANTED_P99_MS = 50;

/**
 * `GET /v1/status` 300 times a second beside 8 sandbox numbers in real browsers: idle, and with a message on each
 * every 5 s. A request's time counts from when it was due.
 */
export async function benchStatusBeside() {
  const world = await startWorld({
    transport: 'chromium',
    env: { SANDBOX_LEASE_MS: '30000', LOG_LEVEL: 'warn', SANDBOX_SEND_INTERVAL_MS: String(SENDING_MS) },
  });
  try {
    const keys: string[] = [];
    for (let place = 0; place < NUMBERS; place++) keys.push((await world.number(place)).key);
    const load = (seconds: number) =>
      steadyLoad({
        url: `${world.url}/v1/status`,
        headers: keys.map((key) => ({ 'x-api-key': key })),
        status: 200,
        perSecond: PER_SECOND,
        seconds,
      });
    await load(3);
    const idle = await load(SECONDS);
    const stop = keepSending(world, keys);
    const sending = await load(SECONDS);
    const sent = await stop();
    const ratio = (ms: number) => Math.round((ms / WANTED_P99_MS) * 100) / 100;
    return {
      sessions: NUMBERS,
      idle,
      sending: { ...sending, messages: sent },
      ratio: { 'idle p99, of 50 ms': ratio(idle.p99), 'sending p99, of 50 ms': ratio(sending.p99) },
    };
  } finally {
    await world.stop();
  }
}

/** Sends a message on each number every 5 s. Stops, and returns how many were accepted. */
function keepSending(world: World, keys: string[]): () => Promise<number> {
  let accepted = 0;
  const posts = new Set<Promise<void>>();
  const post = async (key: string) => {
    const answer = await fetch(`${world.url}/v1/messages/text`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, prefer: 'respond-async' },
      body: JSON.stringify({ to: '491700000001', body: `message ${posts.size}` }),
    });
    if (answer.status === 202) accepted += 1;
  };
  const turn = () => {
    for (const key of keys) posts.add(post(key));
  };
  turn();
  const timer = setInterval(turn, SENDING_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(posts);
    return accepted;
  };
}
