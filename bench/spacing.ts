import { startStack } from '../e2e/stack.ts';
import { linkNumber, postText } from './link-number.ts';
import { summarise } from './statistics.ts';

const SENDS = 1000;
const INTERVAL_MS = 200;
const AT_ONCE = 50;

/**
 * The intervals between 1,000 deliveries on one number, through the browser, as its virtual phone saw them.
 * `lateMs` is how much longer each is than the setting. The interval counts from the previous acknowledgement,
 * so it includes the time of a delivery.
 */
export async function benchSpacing() {
  const stack = await startStack({
    env: { SANDBOX_SEND_INTERVAL_MS: String(INTERVAL_MS), RATE_SENDS_PER_MINUTE: '1000000' },
  });
  try {
    const { key, instance } = await linkNumber(stack);
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < SENDS) {
          await postText(stack, key, `message ${next++}`);
        }
      }),
    );
    const inbox = await stack.cli<{ at: number }[]>('sandbox', 'inbox', '--instance', instance);
    const late = inbox.slice(1).map(({ at }, n) => at - (inbox[n]?.at ?? 0) - INTERVAL_MS);
    return {
      sends: inbox.length,
      intervalMs: INTERVAL_MS,
      early: late.filter((ms) => ms < 0).length,
      lateMs: summarise(late),
    };
  } finally {
    await stack.stop();
  }
}
