import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineState } from '#server/core/engine.ts';
import { LoginWatch } from './login-watch.ts';
import { ENGINE_TIMES } from './times.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function watch() {
  const reported: EngineState[] = [];
  const ended: EngineState[] = [];
  const login = new LoginWatch({
    times: { ...ENGINE_TIMES },
    onState: (state) => reported.push(state),
    end: (state) => ended.push(state),
    onLeaving: () => {},
    onStreamEnded: () => {},
    onLoaded: () => {},
  });
  const refuse = (reason: string) => login.report({ kind: 'refused', reason });
  return { login, reported, ended, refuse };
}

test('a start is abandoned after 10 minutes of an unavailable service, with a pause of 10 minutes', () => {
  const { ended, refuse } = watch();
  for (let minute = 0; minute < 10; minute++) {
    refuse(minute === 0 ? '500' : '503');
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(60_000);
  }
  expect(ended).toMatchObject([{ state: 'gone', pauseMs: 600_000, cause: { code: 'service_unavailable' } }]);
});

test('an accepted login ends the wait, and a later refusal has its own 10 minutes', () => {
  const { login, ended, refuse } = watch();
  refuse('500');
  vi.advanceTimersByTime(599_000);
  login.report({ kind: 'accepted' });
  expect(login.refusal).toBeNull();
  refuse('500');
  vi.advanceTimersByTime(599_000);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(ended).toMatchObject([{ state: 'gone' }]);
  expect(ended[0]).not.toHaveProperty('pauseMs');
});

test('a login is pending from its connection, or from its refusal, until it is accepted or 5 s have passed', () => {
  const { login, refuse } = watch();
  expect(login.pending).toBe(false);
  login.report({ kind: 'opening' });
  expect(login.pending).toBe(true);
  login.report({ kind: 'accepted' });
  expect(login.pending).toBe(false);
  login.report({ kind: 'opening' });
  vi.advanceTimersByTime(4000);
  refuse('503');
  vi.advanceTimersByTime(4000);
  expect(login.pending).toBe(true);
  vi.advanceTimersByTime(1000);
  expect(login.pending).toBe(false);
});

test('three reloads within a minute are too many; three over a longer time or with a login between are not', () => {
  const { login, ended, refuse } = watch();
  for (let n = 0; n < 3; n++) {
    refuse('405');
    vi.advanceTimersByTime(31_000);
  }
  refuse('405');
  login.report({ kind: 'accepted' });
  refuse('405');
  refuse('409');
  expect(ended).toEqual([]);
  refuse('405');
  expect(ended).toMatchObject([{ state: 'blocked', until: null }]);
});

test('a logout is abandoned after 30 seconds, with the page’s first reason', () => {
  const { login, reported, ended } = watch();
  login.report({ kind: 'leaving' });
  login.report({ kind: 'logout', reason: 'syncd_timeout' });
  login.report({ kind: 'logout', reason: null });
  expect(reported.at(-1)).toEqual({ state: 'leaving' });
  vi.advanceTimersByTime(29_999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toMatchObject([{ state: 'logged_out', reason: 'syncd_timeout' }]);
});

test('a locked account is blocked, even if only its logout is seen', () => {
  const { login, ended } = watch();
  login.report({ kind: 'logout', reason: 'account_locked' });
  expect(ended).toMatchObject([{ state: 'blocked', cause: { code: 'locked' } }]);
});
