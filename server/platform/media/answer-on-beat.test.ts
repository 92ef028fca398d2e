import { describe, expect, test } from 'vitest';
import { sayFileProblem } from '#server/core/file-problem.ts';
import { portOf } from '#server/testing/media/internet.ts';
import { PUBLIC, setUpLab } from '#server/testing/media/lab.ts';
import { answerOnBeat, BEAT_MS, type Clock, realClock } from './answer-on-beat.ts';
import { unreachable } from './media-errors.ts';
import { createNetwork, type Network, untilAborted } from './network.ts';

const UNREACHABLE_SENTENCE = sayFileProblem({ problem: 'unreachable' });

const lab = setUpLab();

/** A clock that moves only when a test moves it, and records each wait. */
function stoppedClock(): Clock & { pass(ms: number): void; waited: number[] } {
  let now = 1_000_000.25;
  const waited: number[] = [];
  return {
    waited,
    now: () => now,
    pass: (ms) => {
      now += ms;
    },
    wait: async (ms) => {
      waited.push(ms);
      now += ms;
    },
  };
}

/**
 * How long until the caller learns that `url` is unreachable, in ms, if the look-up and the connection take time.
 */
async function toldAfter(url: string, times: { resolve?: number; dial?: number; answerMs?: number }) {
  const clock = stoppedClock();
  const { network } = lab.internet;
  const slow: Network = {
    ...network,
    resolve: (...args) => {
      clock.pass(times.resolve ?? 0);
      return network.resolve(...args);
    },
    dial: (...args) => {
      clock.pass(times.dial ?? 0);
      return network.dial(...args);
    },
  };
  const began = clock.now();
  const { answerMs = 10_000 } = times;
  const refusal = await lab.refusal(url, { clock, network: slow, times: { answerMs } });
  expect(refusal).toEqual({ code: 'media_unavailable', message: UNREACHABLE_SENTENCE });
  return clock.now() - began;
}

describe('a file that is unreachable', () => {
  test('is reported after the same time, whether its address is forbidden, unknown or refusing', async () => {
    lab.internet.name('inside.test', ['10.0.0.1']);
    lab.internet.name('mixed.test', [PUBLIC, '127.0.0.1']);
    lab.internet.name('own.test', ['198.41.0.4']);
    lab.internet.own('198.41.0.4');
    lab.internet.name('refused.test', ['203.208.60.2']);
    const times = [
      await toldAfter('http://inside.test/', { resolve: 3 }),
      await toldAfter('http://mixed.test/', { resolve: 0.4 }),
      await toldAfter('http://own.test/', { resolve: 5 }),
      await toldAfter('http://198.41.0.4/', {}),
      await toldAfter('http://nxdomain.test/', { resolve: 180 }),
      await toldAfter('http://refused.test/', { resolve: 20, dial: 900 }),
      await toldAfter('https://refused.test/', { resolve: 20, dial: 1_900 }),
    ];
    expect(new Set(times)).toEqual(new Set([BEAT_MS]));
  });

  test('is reported at a later beat when it took longer, which reveals nothing more', async () => {
    expect(await toldAfter('http://nxdomain.test/', { resolve: 2_001 })).toBe(2 * BEAT_MS);
    lab.internet.name('silent.test', ['203.208.60.3']);
    lab.internet.route('203.208.60.3', 80, 'is silent');
    expect(await toldAfter('http://silent.test/', { resolve: 30, dial: 2_500, answerMs: 50 })).toBe(2_530);
  });

  test('is reported at the beat of each hop when the stranger’s own server redirects to it', async () => {
    await lab.serve((_request, response) =>
      response.writeHead(302, { location: 'http://inside.test/' }).end(),
    );
    lab.internet.name('inside.test', ['10.0.0.1']);
    const leading = await toldAfter('http://public.test/', { resolve: 700, dial: 100 });
    expect(leading).toBe(800 + BEAT_MS);
  });

  test('is not reported to a caller that left meanwhile', async () => {
    const gone = new Error('the caller has left');
    const controller = new AbortController();
    const telling = answerOnBeat(() => Promise.reject(unreachable('refused')), {
      clock: realClock,
      signal: controller.signal,
    });
    controller.abort(gone);
    await expect(telling).rejects.toBe(gone);
  });
});

describe('a silent host is refused when the time for an answer ends, not at a later beat', () => {
  const ANSWER_MS = 300;
  const SLACK_MS = 500;

  /** How long the refusal of `url` takes by the real clock, in ms. */
  async function refusedAfter(url: string, overrides: Parameters<typeof lab.refusal>[1] = {}) {
    const began = performance.now();
    const times = { answerMs: ANSWER_MS };
    const refusal = await lab.refusal(url, { clock: realClock, times, ...overrides });
    expect(refusal).toEqual({ code: 'media_unavailable', message: UNREACHABLE_SENTENCE });
    return performance.now() - began;
  }
  const expectInTime = (ms: number) => {
    expect(ms).toBeGreaterThanOrEqual(ANSWER_MS - 5);
    expect(ms).toBeLessThan(ANSWER_MS + SLACK_MS);
  };

  test('which accepts the connection on loopback and sends nothing', async () => {
    const host = `127.0.0.1:${portOf(await lab.serveRaw(() => {}))}`;
    const real = { allowHosts: [host], network: createNetwork() };
    expectInTime(await refusedAfter(`http://${host}/`, real));
    expectInTime(await refusedAfter(`https://${host}/`, real));
  });

  test('whose look-up or connection is never answered', async () => {
    const { network } = lab.internet;
    const mute: Network = {
      ...network,
      resolve: (_name, { signal }) => untilAborted<string[]>(signal, () => () => {}),
    };
    expectInTime(await refusedAfter('http://silent.test/', { network: mute }));
    lab.internet.name('silent.test', ['203.208.60.3']);
    lab.internet.route('203.208.60.3', 80, 'is silent');
    expectInTime(await refusedAfter('http://silent.test/'));
  });

  test('behind redirects that each used a part of the time', async () => {
    lab.internet.name('silent.test', ['203.208.60.3']);
    lab.internet.route('203.208.60.3', 80, 'is silent');
    await lab.serve((request, response) => {
      const location = request.url === '/again' ? 'http://silent.test/' : '/again';
      setTimeout(() => response.writeHead(302, { location }).end(), ANSWER_MS / 3);
    });
    expectInTime(await refusedAfter('http://public.test/'));
  });
});

test('an error from the file’s own server is reported at once', async () => {
  const clock = stoppedClock();
  await lab.serve((request, response) => response.writeHead(request.url === '/ok' ? 200 : 403).end('x'));
  expect((await lab.refusal('http://public.test/', { clock })).message).toMatch(/answered 403/);
  expect((await lab.fetch('http://public.test/ok', { clock })).bytes).toBe(1);
  expect(clock.waited).toEqual([]);
});
