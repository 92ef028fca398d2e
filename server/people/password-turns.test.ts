import { expect, test, vi } from 'vitest';
import { PasswordTurns, turnsOf } from './password-turns.ts';

/** Work that ends when the test says so; `begun` lists what has begun, in order. */
function line(atOnce: number) {
  const atAnyPace = { perSecond: 1_000, atOnce: 1_000, waitMsMax: 0 };
  const turns = new PasswordTurns(atOnce, {
    user: atAnyPace,
    stranger: atAnyPace,
    address: atAnyPace,
  });
  const begun: string[] = [];
  const running: (() => void)[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    take: (email: string, address: string | null, known = false) =>
      turns.run(turnsOf(email, address, known), () => {
        begun.push(known ? `${email} at home` : email);
        return new Promise<void>((resolve) => running.push(resolve));
      }),
    end: async (count = 1) => {
      for (let n = 0; n < count; n++) {
        await settle();
        running.shift()?.();
        await settle();
      }
    },
    endAll: async (all: Promise<void>[]) => {
      await settle();
      while (running.length > 0) {
        running.shift()?.();
        await settle();
      }
      await Promise.all(all);
    },
  };
}
const address = (n: number) => `192.0.2.${n}`;
const times = (count: number, make: (n: number) => Promise<void>) =>
  Array.from({ length: count }, (_, n) => make(n));

test.each([
  { of: 'one user from many addresses', email: () => 'busy@example.org', from: address },
  {
    of: 'many users from one address',
    email: (n: number) => `busy-${n}@example.org`,
    from: () => address(0),
  },
])('the passwords of $of let another user begin next', async ({ email, from }) => {
  const { take, begun, end, endAll } = line(1);
  const busy = times(20, (n) => take(email(n), from(n)));
  await end(5);
  const other = take('other@example.org', address(99));
  await end(2);
  expect(begun.slice(6)).toContain('other@example.org');
  await endAll([...busy, other]);
  expect(begun).toHaveLength(21);
});

test('strangers’ guesses at a user do not delay that user where they signed in before', async () => {
  const { take, begun, end, endAll } = line(1);
  const guesses = times(20, (n) => take('ann@example.org', address(n)));
  const own = take('ann@example.org', address(99), true);
  await end(2);
  expect(begun).toContain('ann@example.org at home');
  await endAll([...guesses, own]);
});

test('a user who checks many passwords has a pace, what exceeds it is refused, and others do not wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const turns = new PasswordTurns(1);
    const begun: string[] = [];
    const check = (email: string, n: number) =>
      turns.run(turnsOf(email, address(n), true), async () => void begun.push(email));
    const results = Promise.allSettled(times(20, (n) => check('often@example.org', n)));
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toHaveLength(5);
    await check('rarely@example.org', 50);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toHaveLength(8);
    await vi.advanceTimersByTimeAsync(5_000);
    const refused = (await results).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ reason: { code: 'rate_limited', details: { retryAfterSeconds: 5 } } });
  } finally {
    vi.useRealTimers();
  }
});

test('work that fails gives its place to the next', async () => {
  const turns = new PasswordTurns(1);
  const failed = turns.run(turnsOf('ann@example.org', null), () => Promise.reject(new Error('no memory')));
  const next = turns.run(turnsOf('ann@example.org', null), async () => 'done');
  await expect(failed).rejects.toThrow('no memory');
  expect(await next).toBe('done');
});
