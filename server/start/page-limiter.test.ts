import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PageLimiter, type PageRefusal, type Place } from './page-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = {
  atOnce: 4,
  atOnceBesideApi: 1,
  shareBesideApi: 0.25,
  savedMsMax: 1_000,
  perAddress: 6,
  perAccount: 5,
  perSession: 3,
  waitingMax: 20,
  waitMsMax: 5_000,
};

/** A place and what became of it so far. */
interface Seen extends Place {
  became: PageRefusal | 'in' | 'waiting';
}

function limiterWith({ besideApi = false, ...more }: Partial<typeof LIMITS> & { besideApi?: boolean } = {}) {
  const limiter = new PageLimiter({ ...LIMITS, ...more }, () => besideApi);
  return (of: string, session: string | null = null, counted = true): Seen => {
    // A test's accounts have capitals.
    const place = limiter.take({ of, session, signedIn: /[A-Z]/.test(of) }, { counted });
    const seen: Seen = Object.assign(place, { became: 'waiting' as const });
    void place.turn.then((refusal) => {
      seen.became = refusal ?? 'in';
    });
    return seen;
  };
}
const settle = () => vi.advanceTimersByTimeAsync(0);
const all = (places: Seen[]) => places.map(({ became }) => became);

test('at most the limit runs at once, and the next starts when one rests', async () => {
  const take = limiterWith();
  const places = ['a', 'b', 'c', 'd', 'e'].map((address) => take(address));
  await settle();
  expect(all(places)).toEqual(['in', 'in', 'in', 'in', 'waiting']);
  places[1]?.rest();
  places[1]?.rest();
  await settle();
  expect(places[4]?.became).toBe('in');
});

test('the requests of one address alternate with those of others, and stay within its share', async () => {
  const take = limiterWith({ atOnce: 1 });
  const flood = Array.from({ length: 8 }, () => take('flood'));
  const other = take('other');
  await settle();
  expect(all(flood)).toEqual(['in', ...Array(5).fill('waiting'), 'address', 'address']);
  flood[0]?.leave();
  flood[1]?.leave();
  await settle();
  expect(all([...flood.slice(1, 4), other])).toEqual(['in', 'waiting', 'waiting', 'in']);
});

test('the requests of one sign-in stay within its share, from any number of addresses', async () => {
  const take = limiterWith({ atOnce: 1 });
  const places = ['a', 'b', 'c', 'd'].map((address) => take(address, 'cookie'));
  await settle();
  expect(places[3]?.became).toBe('session');
  places[0]?.leave();
  const again = take('e', 'cookie');
  await settle();
  expect(again.became).not.toBe('session');
});

test('a page’s files do not count for their visitor, and the queue as a whole is limited', async () => {
  const take = limiterWith({ atOnce: 1 });
  const files = Array.from({ length: 21 }, () => take('a', 'cookie', false));
  const one = take('b');
  await settle();
  expect(files.every(({ became }) => became === 'in' || became === 'waiting')).toBe(true);
  expect(one.became).toBe('full');
});

test('a request whose turn does not come in time is refused and leaves the queue', async () => {
  const take = limiterWith({ atOnce: 0 });
  const place = take('a');
  await vi.advanceTimersByTimeAsync(4_999);
  expect(place.became).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(place.became).toBe('late');
});

test('a visitor who leaves the queue is skipped', async () => {
  const take = limiterWith({ atOnce: 1 });
  const [first, second, third] = [take('a'), take('a'), take('a')];
  second.leave();
  first.leave();
  await settle();
  expect(all([second, third])).toEqual(['waiting', 'in']);
});

test('a slow request does not delay others', async () => {
  const take = limiterWith({ atOnce: 1 });
  const [slow, next] = [take('a'), take('b')];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(all([slow, next])).toEqual(['in', 'in']);
});

test.each([20, 700])(
  'next to the API, pages use only their share of the time once their savings are spent (%i ms each)',
  async (WORK_MS) => {
    const take = limiterWith({ besideApi: true, waitMsMax: 60_000, perAddress: 10_000, waitingMax: 10_000 });
    let worked = 0;
    let stopped = false;
    const keepAsking = async () => {
      while (!stopped) {
        const place = take('a');
        await place.turn;
        await new Promise((resolve) => setTimeout(resolve, WORK_MS));
        worked += WORK_MS;
        place.leave();
      }
    };
    const askers = [keepAsking(), keepAsking(), keepAsking()];
    await vi.advanceTimersByTimeAsync(6_000);
    const before = worked;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(worked - before).toBeGreaterThan(60_000 * 0.2);
    expect(worked - before).toBeLessThan(60_000 * 0.27);
    stopped = true;
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all(askers);
  },
);

test('a page opened now and then next to API traffic does not wait', async () => {
  const take = limiterWith({ besideApi: true });
  for (let n = 0; n < 30; n += 1) {
    const place = take('a');
    await settle();
    expect(place.became).toBe('in');
    await vi.advanceTimersByTimeAsync(25);
    place.leave();
    if (n % 10 === 9) await vi.advanceTimersByTimeAsync(3_000);
  }
});

test('a page does not wait for heavy requests that began before the API was in use', async () => {
  let besideApi = false;
  const limiter = new PageLimiter(LIMITS, () => besideApi);
  const take = (of: string) => limiter.take({ of, session: null, signedIn: true }, { counted: false });
  // Two requests make the account heavy, and three more of it run at once.
  for (let n = 0; n < 2; n += 1) {
    const place = take('Heavy');
    await vi.advanceTimersByTimeAsync(900);
    place.leave();
  }
  const searches = Array.from({ length: 5 }, () => take('Heavy'));
  await settle();
  besideApi = true;
  const begun = vi.fn();
  void take('Other').turn.then(begun);
  await settle();
  expect(begun).toHaveBeenCalledExactlyOnceWith(null);
  for (const place of searches) place.leave();
});

test('those signed in come before strangers, and have one place more', async () => {
  const take = limiterWith({ atOnce: 1 });
  const [first, stranger, signedIn, another] = [take('a'), take('b'), take('Ann'), take('Bob')];
  await settle();
  expect(all([first, stranger, signedIn, another])).toEqual(['in', 'waiting', 'in', 'waiting']);
  first.leave();
  await settle();
  expect(all([stranger, another])).toEqual(['waiting', 'in']);
});

test('the requests of one account stay within its share', async () => {
  const take = limiterWith({ atOnce: 1 });
  const places = ['a', 'b', 'c'].flatMap((session) => [take('Ann', session), take('Ann', session)]);
  await settle();
  expect(places[5]?.became).toBe('account');
});

/** A visitor whose requests each take a second, at most `waiting` of them at the same time. */
function useMuch(take: ReturnType<typeof limiterWith>, of: string) {
  let ended = false;
  const asking = [1, 2, 3].map(async () => {
    while (!ended) {
      const place = take(of);
      if ((await place.turn) === null) await new Promise((resolve) => setTimeout(resolve, 1_000));
      place.leave();
    }
  });
  return async () => {
    ended = true;
    await vi.advanceTimersByTimeAsync(30_000);
    await Promise.all(asking);
  };
}

test.each(['Heavy', 'heavy'])(
  'next to the API, an account that comes now and then does not wait for one that uses much (%s), nor does a stranger long',
  async (heavy) => {
    const take = limiterWith({ besideApi: true, waitMsMax: 60_000, savedMsMax: 2_000 });
    const end = useMuch(take, heavy);
    await vi.advanceTimersByTimeAsync(20_000);
    for (let n = 0; n < 30; n += 1) {
      const place = take('Ann');
      await settle();
      expect(place.became).toBe('in');
      await vi.advanceTimersByTimeAsync(20);
      place.leave();
      const stranger = take('stranger');
      void stranger.turn.then(() => setTimeout(() => stranger.leave(), 20));
      // As long as the other's request takes.
      await vi.advanceTimersByTimeAsync(1_050);
      expect(stranger.became).toBe('in');
      await vi.advanceTimersByTimeAsync(200);
    }
    await end();
  },
);

test('next to the API, strangers of many networks use up no time of those signed in', async () => {
  const take = limiterWith({ besideApi: true, waitMsMax: 5_000 });
  let ended = false;
  let asked = 0;
  const flood = Array.from({ length: 10 }, async () => {
    while (!ended) {
      const place = take(`stranger ${asked++}`);
      if ((await place.turn) === null) await new Promise((resolve) => setTimeout(resolve, 50));
      place.leave();
    }
  });
  await vi.advanceTimersByTimeAsync(20_000);
  for (let n = 0; n < 30; n += 1) {
    const place = take('Ann');
    await settle();
    expect(place.became).toBe('in');
    await vi.advanceTimersByTimeAsync(20);
    place.leave();
    await vi.advanceTimersByTimeAsync(300);
  }
  ended = true;
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(flood);
});

/** A long answer of a visitor: its parts take 20 ms each. */
function answerLong(take: ReturnType<typeof limiterWith>, of: string) {
  const long = take(of);
  const seen = { workedMs: 0, ended: false };
  const answer = async () => {
    await long.turn;
    while (!seen.ended) {
      await long.again();
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.workedMs += 20;
      long.rest();
    }
    long.leave();
  };
  const answered = answer();
  return {
    seen,
    end: async () => {
      seen.ended = true;
      await vi.advanceTimersByTimeAsync(30_000);
      await answered;
    },
  };
}

test('a long answer waits for a turn for each of its parts, pays for it next to the API, and delays no page', async () => {
  const take = limiterWith({ besideApi: true });
  const { seen, end } = answerLong(take, 'Ann');
  await vi.advanceTimersByTimeAsync(6_000);
  const before = seen.workedMs;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.workedMs - before).toBeGreaterThan(60_000 * 0.2);
  expect(seen.workedMs - before).toBeLessThan(60_000 * 0.27);
  for (const of of ['Ann', 'Bob', 'Ann', 'Bob', 'Ann', 'Bob']) {
    const page = take(of);
    await settle();
    expect(page.became).toBe('in');
    await vi.advanceTimersByTimeAsync(20);
    page.leave();
  }
  await end();
});

test('a long answer continues although others use all of the pages’ time', async () => {
  const take = limiterWith({ besideApi: true, waitMsMax: 60_000 });
  const end = [useMuch(take, 'Heavy'), useMuch(take, 'stranger')];
  const long = answerLong(take, 'Ann');
  await vi.advanceTimersByTimeAsync(30_000);
  const before = long.seen.workedMs;
  await vi.advanceTimersByTimeAsync(60_000);
  // Others’ requests take fifty times as long as a part.
  expect(long.seen.workedMs - before).toBeGreaterThan(80);
  await long.end();
  for (const stop of end) await stop();
});

test('a long answer whose reader leaves waits for no further turn', async () => {
  const take = limiterWith({ atOnce: 1 });
  const [long, page] = [take('a'), take('b')];
  long.rest();
  const turn = long.again();
  long.leave();
  await turn;
  page.leave();
  const next = take('c');
  await settle();
  expect(next.became).toBe('in');
});
