import { expect, test } from 'vitest';
import {
  type BuildFacts,
  buildState,
  chooseBuild,
  FAILURES_COUNT,
  FAILURES_MAX,
  judgeBuild,
  judgeFailure,
  lastGood,
  SERVED_LATELY_MS,
} from './page-build.ts';

const build = (version: string, facts: Partial<BuildFacts> = {}): BuildFacts => ({
  version,
  verdict: null,
  proven: false,
  kept: true,
  served: true,
  tryingNumberId: null,
  tryingLeftMs: 0,
  seenMsAgo: 0,
  ...facts,
});
const good = (version: string, facts: Partial<BuildFacts> = {}) =>
  build(version, { verdict: 'passed', proven: true, seenMsAgo: 60 * 60_000, ...facts });
const tried = (version: string, by: string) => build(version, { tryingNumberId: by, tryingLeftMs: 1000 });
const failed = (version: string) => build(version, { verdict: 'failed', kept: false });
const SITE = { use: 'site' };
const kept = (version: string) => ({ use: 'kept', version });
const me = { numberId: 'num_me', lastMissed: false, left: false, unfit: [] };

test('a build is good when its self-test passed, a message was acknowledged and nothing failed later', () => {
  expect(buildState(good('1'))).toBe('good');
  expect(buildState(build('1', { verdict: 'passed' }))).toBe('unproven');
  expect(buildState(good('1', { served: false }))).toBe('unserved');
  expect(buildState(good('1', { verdict: 'failed', served: false }))).toBe('failed');
  expect(buildState(tried('1', 'num_a'))).toBe('tried');
  expect(buildState(build('1', { tryingNumberId: 'num_a', tryingLeftMs: -1 }))).toBe('unproven');
});

test('numbers return to the newest good build that is stored and still served', () => {
  expect(
    lastGood([
      failed('5'),
      build('4', { verdict: 'passed' }),
      good('3', { kept: false }),
      good('2'),
      good('1'),
    ]),
  ).toMatchObject({ version: '2' });
  expect(lastGood([good('2', { served: false }), failed('1')])).toBeNull();
  expect(lastGood([])).toBeNull();
});

test('latest starts on the served build, unless it failed or another number is trying it', () => {
  expect(chooseBuild('latest', [], me)).toEqual(SITE);
  expect(chooseBuild('latest', [good('1')], me)).toEqual(SITE);
  expect(chooseBuild('latest', [build('2'), good('1')], me)).toEqual(SITE);
  expect(chooseBuild('latest', [failed('2'), good('1')], me)).toEqual(kept('1'));
  expect(chooseBuild('latest', [tried('2', 'num_other'), good('1')], me)).toEqual(kept('1'));
  expect(chooseBuild('latest', [tried('2', 'num_me'), good('1')], me)).toEqual(SITE);
  // Without an older build, only the self-test protects.
  expect(chooseBuild('latest', [failed('2')], me)).toEqual(SITE);
  expect(chooseBuild('latest', [tried('2', 'num_other')], me)).toEqual(SITE);
});

test('a number that left the served build continues on the last good build', () => {
  expect(chooseBuild('latest', [build('2'), good('1')], { ...me, left: true })).toEqual(kept('1'));
});

test('a number leaves a build that failed on it alone, even if the build is good elsewhere', () => {
  const unfit = { ...me, unfit: ['2'] };
  const served = good('2', { seenMsAgo: 0 });
  expect(chooseBuild('latest', [served, good('1')], unfit)).toEqual(kept('1'));
  expect(chooseBuild('latest', [served], unfit)).toEqual(SITE);
  expect(chooseBuild('last-good', [served, good('1')], unfit)).toEqual(kept('1'));
});

test('one session never condemns a build: its self-test is repeated, then a second number tries', () => {
  const facts = { failures: 1, failedElsewhere: false, worksElsewhere: false, proven: false, other: 'num_b' };
  expect(judgeFailure(facts)).toBe('repeat');
  expect(judgeFailure({ ...facts, failedElsewhere: true })).toBe('repeat');
  const twice = { ...facts, failures: FAILURES_COUNT };
  expect(judgeFailure(twice)).toBe('second number');
  expect(judgeFailure({ ...twice, failedElsewhere: true })).toBe('build');
  expect(judgeFailure({ ...twice, worksElsewhere: true })).toBe('number');
  // Nobody else can try, or the other one finds nothing in time.
  expect(judgeFailure({ ...twice, other: null })).toBe('build');
  expect(judgeFailure({ ...twice, failures: FAILURES_MAX })).toBe('build');
  // What has sent works, as far as one session can say.
  expect(judgeFailure({ ...twice, proven: true, other: null })).toBe('number');
  expect(judgeFailure({ ...twice, proven: true, failedElsewhere: true })).toBe('build');
});

test('a failed build is fetched again once the site may serve a newer one', () => {
  const builds = [{ ...failed('2'), seenMsAgo: SERVED_LATELY_MS + 1 }, good('1')];
  expect(chooseBuild('latest', builds, me)).toEqual(SITE);
});

test('after a stored build fails to load, the served one shows whether the network works', () => {
  expect(chooseBuild('latest', [failed('2'), good('1')], { ...me, lastMissed: true })).toEqual(SITE);
  expect(chooseBuild('1', [good('1')], { ...me, lastMissed: true })).toEqual(SITE);
});

test('last-good starts on the newest good build, or on the served one if there is none', () => {
  expect(chooseBuild('last-good', [build('3'), good('2'), good('1')], me)).toEqual(kept('2'));
  expect(chooseBuild('last-good', [build('3')], me)).toEqual(SITE);
});

test('a pinned version is used; if it is not stored, the error lists the stored ones', () => {
  expect(chooseBuild('1', [good('2'), good('1')], me)).toEqual(kept('1'));
  expect(chooseBuild('1', [good('2'), good('1', { served: false })], me)).toEqual(SITE);
  expect(chooseBuild('7', [good('2'), failed('1')], me)).toEqual({
    use: 'none',
    stored: ['2'],
  });
  expect(chooseBuild('7', [], me)).toEqual({ use: 'none', stored: [] });
});

const judge = (
  builds: BuildFacts[],
  { setting = 'latest', ...given }: { setting?: string; chosen?: string; mayTry?: boolean } = {},
) =>
  judgeBuild(setting, builds, {
    ...{ seen: builds[0]?.version ?? '', numberId: 'num_me', chosen: null, mayTry: true },
    ...given,
  });
const stay = { verdict: 'stay', triedBy: null };
const leave = { verdict: 'leave', triedBy: null };

test('the first number that sees an untested build tries it, and the others avoid it meanwhile', () => {
  expect(judge([build('2'), good('1')])).toEqual({ verdict: 'stay', triedBy: 'num_me' });
  expect(judge([tried('2', 'num_me'), good('1')])).toEqual(stay);
  expect(judge([tried('2', 'num_other'), good('1')])).toEqual(leave);
  // A number whose time is over does not keep the next one from trying.
  expect(judge([build('2', { tryingNumberId: 'num_other', tryingLeftMs: -1 }), good('1')])).toEqual({
    verdict: 'stay',
    triedBy: 'num_me',
  });
});

test('the chosen number tries it, whichever number sees it first', () => {
  expect(judge([build('2'), good('1')], { chosen: 'num_x' })).toEqual({ verdict: 'leave', triedBy: 'num_x' });
  expect(judge([build('2'), good('1')], { chosen: 'num_me' })).toEqual({
    verdict: 'stay',
    triedBy: 'num_me',
  });
});

test('a number that is being linked tries no build', () => {
  expect(judge([build('2'), good('1')], { mayTry: false })).toEqual(leave);
  expect(judge([build('2')], { mayTry: false })).toEqual(stay);
});

test('without a good build every number stays on the served one', () => {
  expect(judge([failed('2')])).toEqual(stay);
  expect(judge([tried('2', 'num_other')])).toEqual(stay);
  expect(judge([build('2'), good('1', { kept: false })])).toEqual({ verdict: 'stay', triedBy: 'num_me' });
});

test('a failed build is left, and one that passed its trial serves every number', () => {
  expect(judge([failed('2'), good('1')])).toEqual(leave);
  expect(judge([build('2', { verdict: 'passed' }), good('1')])).toEqual(stay);
  expect(judge([{ ...tried('2', 'num_other'), verdict: 'passed' }, good('1')])).toEqual(leave);
  expect(judge([good('2'), good('1')])).toEqual(stay);
});

test('last-good leaves the served build for the newest good one; a replaced pinned version stays', () => {
  expect(judge([build('2'), good('1')], { setting: 'last-good' })).toEqual(leave);
  expect(judge([good('2'), good('1')], { setting: 'last-good' })).toEqual(stay);
  expect(judge([build('2')], { setting: 'last-good' })).toMatchObject({ verdict: 'stay' });
  expect(judge([build('2'), good('1')], { setting: '1' })).toEqual(leave);
  expect(judge([build('2'), good('1', { served: false })], { setting: '1' })).toEqual(stay);
});
