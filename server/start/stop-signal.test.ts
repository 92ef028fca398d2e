import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenForStop } from './stop-signal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  for (const signal of SIGNALS) process.removeAllListeners(signal);
});

test.each([
  ['SIGINT', 'Ctrl-C'],
  ['SIGTERM', 'SIGTERM'],
  ['SIGHUP', 'the terminal was closed'],
] as const)('%s requests the stop', async (signal, reason) => {
  const stopping = listenForStop(() => {});
  expect(stopping.signal.aborted).toBe(false);
  process.emit(signal);
  expect(await stopping.stopped).toBe(reason);
});

test('one Ctrl-C that arrives twice counts once, and a later one forces the stop', () => {
  let impatient = 0;
  const stopping = listenForStop(() => {
    impatient += 1;
  });
  process.emit('SIGINT');
  process.emit('SIGINT');
  expect([stopping.signal.aborted, impatient]).toEqual([true, 0]);
  vi.advanceTimersByTime(1_500);
  process.emit('SIGINT');
  expect(impatient).toBe(1);
});
