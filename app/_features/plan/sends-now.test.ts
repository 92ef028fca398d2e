import { expect, test } from 'vitest';
import { linksNow, type SendingPlan } from './sends-now.ts';

const links = (plan: Partial<SendingPlan>) =>
  (['whatsapp', 'sandbox'] as const).map((network) =>
    linksNow({ state: 'none', suspended: false, trial: null, ...plan }, network),
  );

test('a trial links a sandbox phone and no real one, a plan both, and an account without either none', () => {
  expect(links({ trial: { messagesLeft: 20 } })).toEqual([false, true]);
  for (const state of ['active', 'grace'] as const) expect(links({ state })).toEqual([true, true]);
  for (const state of ['none', 'expired', 'ended'] as const) expect(links({ state })).toEqual([false, false]);
  expect(links({ state: 'active', suspended: true })).toEqual([false, false]);
});
