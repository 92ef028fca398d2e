import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Acknowledgements } from './acknowledgements.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMEOUT_MS = 30_000;

function expecting() {
  const acks = new Acknowledgements(async () => {});
  const verdict = vi.fn();
  void acks.waitFor('m1', TIMEOUT_MS).result.then(verdict);
  return { acks, verdict };
}

test('a message without an acknowledgement in time counts as silence', async () => {
  const { verdict } = expecting();
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
  expect(verdict).toHaveBeenCalledWith('silence');
});

test('an outage does not count as silence, and afterwards the message has its full time again', async () => {
  const { acks, verdict } = expecting();
  acks.pause();
  await vi.advanceTimersByTimeAsync(5 * TIMEOUT_MS);
  acks.resume();
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  expect(verdict).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(verdict).toHaveBeenCalledWith('silence');
});

test('an acknowledgement that comes while the line is down counts, and a session that is lost ends the wait', async () => {
  const acknowledged = expecting();
  acknowledged.acks.pause();
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
  await acknowledged.acks.record('m1', 1);
  acknowledged.acks.resume();
  await vi.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
  expect(acknowledged.verdict.mock.calls).toEqual([[1]]);

  const lost = expecting();
  lost.acks.pause();
  lost.acks.sessionLost();
  await vi.advanceTimersByTimeAsync(0);
  expect(lost.verdict).toHaveBeenCalledWith('lost');
});

test('a message being recorded as not sent does not become unknown when its session is lost meanwhile', async () => {
  const written = Promise.withResolvers<void>();
  const acks = new Acknowledgements(() => written.promise);
  const verdict = vi.fn();
  void acks.waitFor('m1', TIMEOUT_MS).result.then(verdict);
  const refuted = acks.recordNotSent('m1', {
    status: 'failed',
    errorCode: 'send_failed',
  });
  acks.sessionLost();
  await vi.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
  expect(verdict).not.toHaveBeenCalled();
  written.resolve();
  await refuted;
  expect(verdict.mock.calls).toEqual([['not_sent']]);
});
