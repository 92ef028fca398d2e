import { expect, test } from 'vitest';
import { doneBefore, remaining, sandboxNumberOf } from './set-up.ts';

const real = { network: 'whatsapp', status: 'CONNECTED' } as const;
const linked = { network: 'sandbox', status: 'CONNECTED' } as const;
const unlinked = { network: 'sandbox', status: 'UNLINKED' } as const;

test('only what does not exist yet is offered: with a linked sandbox number, a new key', () => {
  const offered = (trial: boolean, ...numbers: (typeof real | typeof linked | typeof unlinked)[]) =>
    remaining(trial, doneBefore(sandboxNumberOf(numbers)));
  expect([offered(false), offered(false, real)]).toEqual(['all', 'all']);
  expect(offered(false, real, linked)).toBe('key');
  expect(offered(false, unlinked)).toBe('rest');
  expect([offered(true), offered(true, unlinked), offered(true, linked)]).toEqual(['both', 'rest', 'rest']);
});
