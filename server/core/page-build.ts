/** Which build of WhatsApp Web a number's session runs: pure rules over what is known of each build. */

/** What the operator set: what the site serves, the last good build, or one version. */
export type BuildSetting = 'latest' | 'last-good' | (string & {});

/** Does the setting name one version? */
export const isPinned = (setting: BuildSetting): boolean => setting !== 'latest' && setting !== 'last-good';

/**
 * Where the page's connection runs: in the page, or in a worker. `unseen`: no stanza is seen, so neither are WhatsApp's
 * reasons when it refuses a login or ends a session.
 */
export const COMMS_MODES = ['page', 'worker', 'unseen'] as const;
export type CommsMode = (typeof COMMS_MODES)[number];

/** A number that starts on a build without a verdict has this long until its self-test. */
export const TRY_START_MS = 10 * 60_000;
/** After a self-test that passed, the build is tried for this long without a send. */
export const TRY_SEND_MS = 15 * 60_000;
/** A build that the site served within this time counts as its current one. */
export const SERVED_LATELY_MS = 10 * 60_000;
/** A kept build that failed to load this often, while the site did load, is no longer served. */
export const MISSES_MAX = 2;

/** A build without a verdict has failed if this many starts in a row did not reach the self-test. */
export const STARTS_MAX = 3;
/** The failed check of such a build. */
export const NEVER_READY = 'its page does not become ready';

export interface BuildFacts {
  version: string;
  /** Of the last self-test. A failure in another version of Wirebird does not count. */
  verdict: 'passed' | 'failed' | null;
  /** WhatsApp acknowledged a message on it after its self-test. */
  proven: boolean;
  /** Its document is kept. */
  kept: boolean;
  /** WhatsApp still serves its scripts, as far as is known. */
  served: boolean;
  /** The number that tries it, and the time left for that. */
  tryingNumberId: string | null;
  tryingLeftMs: number;
  /** The time since the site was last seen to serve it. */
  seenMsAgo: number;
}

export type BuildState = 'good' | 'tried' | 'failed' | 'unserved' | 'unproven';

/** The state of a build; the first that applies. */
export function buildState(build: BuildFacts): BuildState {
  if (build.verdict === 'failed') return 'failed';
  if (!build.served) return 'unserved';
  if (build.proven) return 'good';
  return triedBy(build) === null ? 'unproven' : 'tried';
}

/** The number that tries a build right now. */
export function triedBy({ tryingNumberId, tryingLeftMs, verdict, proven }: BuildFacts): string | null {
  return tryingLeftMs > 0 && verdict !== 'failed' && !proven ? tryingNumberId : null;
}

/** The build that numbers go back to: the first good one that is kept. `builds` are newest first. */
export function lastGood(builds: readonly BuildFacts[]): BuildFacts | null {
  return builds.find((build) => buildState(build) === 'good' && build.kept) ?? null;
}

export type BuildChoice =
  | { use: 'site' }
  | { use: 'kept'; version: string }
  /** The pinned build is not among the stored ones, which are these. */
  | { use: 'none'; stored: string[] };

const SITE: BuildChoice = { use: 'site' };

/**
 * The build that a number starts on. `builds` are newest first. `lastMissed`: its last start on a kept build
 * failed, so the site is tried once, to distinguish an unserved build from a missing network. `left`: it has just
 * left the site's build. `unfit`: versions whose self-test failed on it lately.
 */
export function chooseBuild(
  setting: BuildSetting,
  builds: readonly BuildFacts[],
  params: { numberId: string; lastMissed: boolean; left: boolean; unfit: readonly string[] },
): BuildChoice {
  const { numberId, lastMissed, left, unfit } = params;
  if (lastMissed) return SITE;
  if (isPinned(setting)) return pinned(setting, builds);
  if (setting === 'latest' && !left && builds.some((build) => triedBy(build) === numberId)) return SITE;
  const good = lastGood(builds.filter(({ version }) => !unfit.includes(version)));
  if (!good) return SITE;
  if (setting === 'last-good' || left) return { use: 'kept', version: good.version };
  const [current] = [...builds].sort((a, b) => a.seenMsAgo - b.seenMsAgo);
  if (!current || current.seenMsAgo > SERVED_LATELY_MS || current.version === good.version) return SITE;
  const state = buildState(current);
  const isLeft = state === 'failed' || state === 'tried' || unfit.includes(current.version);
  return isLeft ? { use: 'kept', version: good.version } : SITE;
}

/**
 * A pinned build that WhatsApp no longer serves is replaced by the site's, whose self-test protects the number.
 */
function pinned(version: string, builds: readonly BuildFacts[]): BuildChoice {
  const build = builds.find((one) => one.version === version);
  if (build?.kept) return build.served ? { use: 'kept', version } : SITE;
  const stored = builds.filter((one) => one.kept && buildState(one) === 'good').map((one) => one.version);
  return { use: 'none', stored };
}

/**
 * Whether a session stays on `seen`, the build that the site served. `builds` are newest first and contain it.
 * `chosen`: the number on which new builds are tried first, if it runs. `mayTry`: the number sends.
 */
export function judgeBuild(
  setting: BuildSetting,
  builds: readonly BuildFacts[],
  params: { seen: string; numberId: string; chosen: string | null; mayTry: boolean },
): { verdict: 'stay' | 'leave'; triedBy: string | null } {
  const { seen, numberId, chosen, mayTry } = params;
  const stay = { verdict: 'stay', triedBy: null } as const;
  const leave = { verdict: 'leave', triedBy: null } as const;
  // The site's build is used only while the pinned one does not load.
  if (isPinned(setting))
    return seen !== setting && builds.some((one) => one.version === setting && one.kept && one.served)
      ? leave
      : stay;
  const build = builds.find((one) => one.version === seen);
  const good = lastGood(builds);
  if (!build || !good || build === good)
    return build ? { ...stay, triedBy: mayTry ? newTrier(build, numberId) : null } : stay;
  if (setting === 'last-good') return leave;
  const state = buildState(build);
  if (state === 'good') return stay;
  if (state === 'failed') return leave;
  const by = triedBy(build);
  if (by !== null) return by === numberId ? stay : leave;
  // It passed, and nothing was sent during its trial, so it counts as working.
  if (build.verdict === 'passed') return stay;
  const trier = chosen ?? (mayTry ? numberId : null);
  return { verdict: trier === numberId ? 'stay' : 'leave', triedBy: trier };
}

/** If all numbers stay on a build without a verdict, the first one is named as the one that tries it. */
function newTrier(build: BuildFacts, numberId: string): string | null {
  return buildState(build) === 'unproven' && build.verdict === null ? numberId : null;
}

/** A failed self-test counts once it has failed again in a fresh document. */
export const FAILURES_COUNT = 2;
/** A number that failed this often no longer waits for what another one finds. */
export const FAILURES_MAX = 4;

/** What is known when a number's page has failed its self-test on a build. */
export interface FailureFacts {
  /** How often in a row it has failed on this number. */
  failures: number;
  /** It also counts as failed on another number. */
  failedElsewhere: boolean;
  /** Another number is connected on it, so it passed there. */
  worksElsewhere: boolean;
  /** WhatsApp acknowledged a message on it. */
  proven: boolean;
  /** A running number that has not tried it. */
  other: string | null;
}

/**
 * What follows: repeat it in a fresh document; let a second number try; give up the build for this number alone; or for
 * the whole installation. One session never decides that, and never against a build that has sent.
 */
export function judgeFailure(facts: FailureFacts): 'repeat' | 'second number' | 'number' | 'build' {
  if (facts.failures < FAILURES_COUNT) return 'repeat';
  if (facts.failedElsewhere) return 'build';
  if (facts.worksElsewhere) return 'number';
  if (facts.other !== null && facts.failures < FAILURES_MAX) return 'second number';
  return facts.proven ? 'number' : 'build';
}
