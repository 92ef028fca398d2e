import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { log } from '#server/platform/log.ts';
import { createRefusalLog } from './log-refusal.ts';

interface Line {
  accountId?: string;
  count?: number;
}
let lines: { fields: Line; msg: string }[] = [];
beforeEach(() => {
  lines = [];
  for (const level of ['info', 'warn'] as const)
    vi.spyOn(log, level).mockImplementation((...[fields, msg]: unknown[]) => {
      lines.push({ fields: fields as Line, msg: String(msg) });
    });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});
const refused = () => lines.filter(({ msg }) => msg === 'request refused').map(({ fields }) => fields);

describe('refusals without end', () => {
  const ACCOUNT = { accountId: 'acc_1', numberId: null, keyId: 'key_1' };
  const refuser =
    (logRefusal = createRefusalLog()) =>
    (more: { caller: typeof ACCOUNT | null; address?: string }) =>
      logRefusal({
        ...{ requestId: 'r', status: 429, code: 'rate_limited', caller: more.caller },
        address: () => more.address ?? '192.0.2.1',
      });

  test('of one account write 120 lines a minute, and one line at its end counts the rest', () => {
    vi.useFakeTimers();
    const refuse = refuser();
    for (let minute = 1; minute <= 2; minute++) {
      lines = [];
      for (let i = 0; i < 1000; i++) refuse({ caller: ACCOUNT });
      refuse({ caller: { ...ACCOUNT, accountId: 'acc_2' } });
      expect(refused().filter(({ accountId }) => accountId === 'acc_1')).toHaveLength(120);
      expect(refused().filter(({ accountId }) => accountId === 'acc_2')).toHaveLength(1);
      vi.advanceTimersByTime(60_000);
      expect(lines.at(-1)).toEqual({
        fields: { accountId: 'acc_1', count: 880 },
        msg: 'more refused requests were not logged individually',
      });
    }
  });

  test('of strangers write 60 lines per address and 600 in all, and take none from customers', () => {
    vi.useFakeTimers();
    const refuse = refuser();
    for (let i = 0; i < 100; i++) refuse({ caller: null });
    expect(refused()).toHaveLength(60);
    for (let i = 0; i < 2000; i++) refuse({ caller: null, address: `198.51.100.${i % 250}` });
    expect(refused()).toHaveLength(600);
    refuse({ caller: ACCOUNT });
    expect(refused()).toHaveLength(601);
    vi.advanceTimersByTime(60_000);
    expect(lines.at(-1)?.fields).toEqual({ count: 1500 });
  });
});
