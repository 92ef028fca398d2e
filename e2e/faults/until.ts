import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 60_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`timed out after ${withinMs} ms waiting until ${what}`);
    await delay(20);
  }
}
