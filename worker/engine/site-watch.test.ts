import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SiteWatch, type WaitingPage } from './site-watch.ts';
import { ENGINE_TIMES } from './times.ts';

const { siteAskMs, siteAskMsMax } = ENGINE_TIMES;

let answers: boolean | 'deaf';
let asked: number[];
let watch: SiteWatch;
beforeEach(() => {
  vi.useFakeTimers();
  answers = true;
  asked = [];
  watch = new SiteWatch(ENGINE_TIMES);
});
afterEach(() => vi.useRealTimers());

interface Page extends WaitingPage {
  reconnects: number;
}
function page(): Page {
  const one: Page = {
    reconnects: 0,
    async isSiteReachable() {
      asked.push(performance.now());
      if (answers === 'deaf') throw new Error('the page does not answer');
      return answers;
    },
    reconnect: () => void one.reconnects++,
  };
  return one;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('the site is probed at most once in 15 s, and less often over time, for any number of waiting pages', async () => {
  answers = false;
  for (let pages = 0; pages < 50; pages++) watch.join(page());
  await pass(600_000);
  const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(siteAskMs).toBe(15_000);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(siteAskMs);
  expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
  expect(gaps.at(-1)).toBe(siteAskMsMax);
});

test('the site is not probed more often when waiting pages come and go', async () => {
  for (let times = 0; times < 20; times++) {
    const one = page();
    watch.join(one);
    await pass(1000);
    watch.leave(one);
  }
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('when the site answers again, each waiting page connects once, one after another', async () => {
  answers = false;
  const [one, two, gone] = [page(), page(), page()];
  for (const waiting of [one, two, gone]) watch.join(waiting);
  await pass(1000);
  expect(watch.unreachable).toBe(true);
  watch.leave(gone);
  answers = true;
  await pass(siteAskMs * 1.5);
  expect(watch.unreachable).toBe(false);
  await pass(600_000);
  expect([one, two, gone].map(({ reconnects }) => reconnects)).toEqual([1, 1, 0]);
});

test('no page is touched while the site keeps answering or the page itself does not answer', async () => {
  const one = page();
  watch.join(one);
  await pass(60_000);
  answers = 'deaf';
  await pass(60_000);
  answers = true;
  await pass(600_000);
  expect(asked.length).toBeGreaterThan(3);
  expect(one.reconnects).toBe(0);
  expect(watch.unreachable).toBe(false);
});

test('when no page waits, the site is not probed, and its state is unknown', async () => {
  answers = false;
  const one = page();
  watch.join(one);
  await pass(1000);
  watch.leave(one);
  expect(watch.unreachable).toBe(false);
  asked = [];
  await pass(600_000);
  expect(asked).toEqual([]);
});
