import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { BuildVerdict, EngineState, KeptBuild, SeenBuild, SelfTestResult } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import type { SessionRow } from '#server/core/number/session-row.ts';
import {
  type BuildSetting,
  chooseBuild,
  FAILURES_COUNT,
  isPinned,
  judgeBuild,
  judgeFailure,
  lastGood,
  MISSES_MAX,
  NEVER_READY,
  STARTS_MAX,
  TRY_SEND_MS,
  TRY_START_MS,
} from '#server/core/page-build.ts';
import {
  beginTry,
  findTrier,
  keepDocument,
  listBuilds,
  listUnfit,
  lockSeenBuild,
  markUnserved,
  proveBuild,
  readDocument,
  writeFailure,
  writeNumberBuild,
  writeVerdict,
} from '#server/operations/queries/page-builds.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { BuildKinds } from './dispatch/build-kinds.ts';

interface PageBuildOptions {
  database: Database;
  log: Log;
  holding: Holding;
  setting: BuildSetting;
  /** The row as last read. */
  row(): SessionRow | null;
}

/** How long a number leaves a build that failed on it alone. */
const UNFIT_MS = 3_600_000;

/** A document that is larger, before or after compression, is not kept. */
const DOCUMENT_BYTES_MAX = 16 * 1024 ** 2;
const STORED_BYTES_MAX = 4 * 1024 ** 2;

type FailedTest = Pick<Extract<EngineState, { state: 'unfit' }>, 'build' | 'failed'>;
type AfterFailure = { restart: Cause; atOnce: boolean } | { blocked: Cause };

/** Chooses the build of WhatsApp Web for one number's sessions, and records whether it works. */
export class PageBuild {
  readonly #o: PageBuildOptions;
  /** The build of the current page; null before it is known. */
  #version: string | null = null;
  #kept = false;
  /** WhatsApp has acknowledged a message that this build sent. */
  #proven = false;
  #proving = false;
  /** The kept build of a session whose page has not loaded yet. */
  #loading: string | null = null;
  /** How many times in a row each kept build did not load. */
  readonly #misses = new Map<string, number>();
  #lastMissed = false;
  /** How many times in a row a session on the site's build was lost before its self-test. */
  #lostStarts = { version: '', count: 0 };
  /** The current page has passed its self-test. */
  #tested = false;
  /** Why the current session leaves its build for another one. */
  #leaving: Cause | null = null;

  /** Which kinds of messages the current session's build can send. */
  readonly kinds: BuildKinds;

  constructor(options: PageBuildOptions) {
    this.#o = options;
    const { database, log, holding } = options;
    const network = () => options.row()?.network ?? null;
    this.kinds = new BuildKinds({ database, log, holding, network, version: () => this.#version });
  }

  /** The version that sends the messages; null before it is known. */
  get version(): string | null {
    return this.#version;
  }

  /** Chooses the next session's build: a kept one, or null for the site's. `refused`: why no session may start. */
  async choose(): Promise<{ build: KeptBuild | null } | { refused: Cause }> {
    const { database, holding, log, setting } = this.#o;
    const row = this.#o.row();
    this.#version = null;
    this.#loading = null;
    this.kinds.forget();
    const left = this.#leaving !== null;
    this.#leaving = null;
    if (!row || row.intent === 'unlink') return { build: null };
    const { network } = row;
    await this.#judgeLostStarts(network);
    const { builds, unfit } = await this.#listBuilds(network);
    const choice = chooseBuild(setting, builds, { ...holding, lastMissed: this.#lastMissed, left, unfit });
    this.#lastMissed = false;
    if (choice.use === 'site') return { build: null };
    if (choice.use === 'none') {
      log.error({ setting, stored: choice.stored }, 'the build of WHATSAPP_BUILD is not stored');
      return { refused: { code: 'build_not_stored', build: setting, stored: choice.stored } };
    }
    const { version } = choice;
    const stored = await readDocument(database, { network, version });
    if (!stored) return { build: null };
    try {
      const document = await promisify(gunzip)(stored);
      this.#loading = version;
      log.info({ build: version }, 'starting on a kept build of WhatsApp Web');
      return { build: { version, document } };
    } catch (error) {
      log.error({ err: error, build: version }, 'a kept build of WhatsApp Web is damaged');
      await markUnserved(database, { network, holding }, { version });
      return { build: null };
    }
  }

  /** The page has loaded this build. Returns whether the session keeps it, decided across all workers. */
  async seen(page: SeenBuild): Promise<BuildVerdict> {
    const { log } = this.#o;
    this.#version = page.version;
    this.#kept = page.kept;
    this.#proven = false;
    this.#tested = false;
    try {
      return page.kept ? await this.#seenKept(page.version) : await this.#seenOnSite(page);
    } catch (error) {
      log.warn({ err: error, build: page.version }, 'the build could not be stored');
      return 'stay';
    }
  }

  /** The self-test has passed. For one that failed see {@link failed}. */
  async passed({ version, comms }: SelfTestResult): Promise<void> {
    const { database, holding } = this.#o;
    const network = this.#o.row()?.network;
    this.#tested = true;
    this.#lostStarts.count = 0;
    if (network)
      await writeVerdict(
        database.db,
        { network, holding },
        { version, failed: null, comms, sendMs: TRY_SEND_MS },
      );
  }

  /** WhatsApp acknowledged a message, which may prove that this build works. */
  acknowledged(waMessageId: string): void {
    const { database, holding, log } = this.#o;
    const network = this.#o.row()?.network;
    const version = this.#version;
    if (!network || version === null || this.#proven || this.#proving) return;
    this.#proving = true;
    proveBuild(database, { network, holding }, { version, waMessageId })
      .then((proven) => {
        if (proven && this.#version === version) this.#proven = true;
        if (proven) log.info({ build: version }, 'this build of WhatsApp Web works');
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the build could not be stored'))
      .finally(() => {
        this.#proving = false;
      });
  }

  /** Why the current session leaves its build for another one; null if it does not. */
  get leaving(): Cause | null {
    return this.#leaving;
  }

  /** The session ended unexpectedly. */
  lost(): void {
    if (this.#loading !== null) {
      this.#misses.set(this.#loading, (this.#misses.get(this.#loading) ?? 0) + 1);
      this.#lastMissed = true;
      this.#loading = null;
    }
    if (this.#version !== null && !this.#kept && !this.#tested && this.#leaving === null) {
      const { version, count } = this.#lostStarts;
      this.#lostStarts = { version: this.#version, count: version === this.#version ? count + 1 : 1 };
    }
  }

  /**
   * WhatsApp refuses the session for this cause. Returns why it restarts if it can do so on another build, otherwise null.
   */
  async refused(cause: Cause): Promise<Cause | null> {
    const { database, holding } = this.#o;
    const row = this.#o.row();
    const version = this.#version;
    if (!row || version === null || cause.code !== 'outdated' || !this.#kept) return null;
    this.#loading = null;
    await markUnserved(database, { network: row.network, holding }, { version });
    return { code: 'build_not_accepted', build: version };
  }

  /** The page has failed its self-test. `restart`: why, if the number starts again, on any build. */
  async failed({ build: version, failed }: FailedTest): Promise<AfterFailure> {
    const { log, setting } = this.#o;
    const row = this.#o.row();
    this.#loading = null;
    const changed = { build: version, what: failed };
    const blocked = { blocked: { code: 'build_changed', ...changed } } as const;
    if (!row) return blocked;
    log.error({ build: version, failed }, 'WhatsApp Web has changed');
    const next = await this.#judgeFailure(row.network, { version, failed, times: 1 });
    if (next === 'repeat') return { restart: { code: 'test_repeats' }, atOnce: true };
    const { fit } = await this.#listBuilds(row.network);
    const good = isPinned(setting) ? null : lastGood(fit);
    if (good) {
      this.#leaving = { code: 'build_replaced', ...changed, good: good.version };
      return { restart: this.#leaving, atOnce: true };
    }
    return next === 'second number' ? { restart: { code: 'test_elsewhere' }, atOnce: false } : blocked;
  }

  /** `unfit`: the versions that this number left lately. `fit`: all others. */
  async #listBuilds(network: SessionRow['network']) {
    const { database, holding } = this.#o;
    const builds = await listBuilds(database.db, { network });
    const unfit = await listUnfit(database.db, { network, ...holding, withinMs: UNFIT_MS });
    return { builds, unfit, fit: builds.filter(({ version }) => !unfit.includes(version)) };
  }

  async #judgeFailure(
    network: SessionRow['network'],
    { version, failed, times }: { version: string; failed: string; times: number },
  ): Promise<ReturnType<typeof judgeFailure>> {
    const { database, log, holding } = this.#o;
    const scope = { network, holding };
    const facts = await writeFailure(database.db, scope, { version, times });
    if (!facts) return 'number';
    const next = judgeFailure(facts);
    log.info({ build: version, next, ...facts }, 'a failed self-test was judged');
    if (next === 'second number' && facts.other !== null)
      await beginTry(database.db, { network, version, numberId: facts.other, forMs: TRY_START_MS });
    if (next === 'build') await writeVerdict(database.db, scope, { version, failed, comms: null, sendMs: 0 });
    return next;
  }

  /** A build that never reaches its self-test counts as failed; otherwise the number would try it forever. */
  async #judgeLostStarts(network: SessionRow['network']): Promise<void> {
    const { database, setting, log } = this.#o;
    const { version, count } = this.#lostStarts;
    if (count < STARTS_MAX || isPinned(setting)) return;
    const builds = await listBuilds(database.db, { network });
    const build = builds.find((one) => one.version === version);
    if (build?.verdict !== null || !lastGood(builds)) return;
    log.error({ build: version, starts: count }, 'a new build of WhatsApp Web does not become ready');
    await this.#judgeFailure(network, { version, failed: NEVER_READY, times: FAILURES_COUNT });
    this.#lostStarts.count = 0;
  }

  async #seenKept(version: string): Promise<'stay'> {
    const { database, holding } = this.#o;
    this.#loading = null;
    this.#misses.delete(version);
    await writeNumberBuild(database.db, holding, { version, kept: true });
    return 'stay';
  }

  async #seenOnSite(page: SeenBuild): Promise<BuildVerdict> {
    const { database, holding, setting, log } = this.#o;
    const { version } = page;
    const row = this.#o.row();
    if (!row) return 'stay';
    const { network } = row;
    const scope = { network, holding };
    // The site answers, so it was not the network that kept these builds from loading.
    for (const [missing, misses] of this.#misses) {
      if (misses < MISSES_MAX) continue;
      log.warn({ build: missing }, 'a kept build of WhatsApp Web no longer loads');
      await markUnserved(database, scope, { version: missing });
      this.#misses.delete(missing);
    }
    const judged = await database.db.transaction(async (tx) => {
      if (!(await lockSeenBuild(tx, scope, { version }))) return null;
      const builds = await listBuilds(tx, { network });
      const chosen = await findTrier(tx, { network });
      const mayTry = row.intent === 'run';
      const judgement = judgeBuild(setting, builds, {
        seen: version,
        numberId: holding.numberId,
        chosen,
        mayTry,
      });
      if (judgement.triedBy !== null)
        await beginTry(tx, { network, version, numberId: judgement.triedBy, forMs: TRY_START_MS });
      if (judgement.verdict === 'stay') await writeNumberBuild(tx, holding, { version, kept: false });
      return { ...judgement, builds };
    });
    if (!judged) return 'stay';
    const build = judged.builds.find((one) => one.version === version);
    if (judged.verdict === 'leave') {
      const good = lastGood(judged.builds)?.version ?? '';
      this.#leaving = { code: 'build_left', build: version, good, failed: build?.verdict === 'failed' };
      log.info({ build: version, good }, 'leaving this build of WhatsApp Web for the last good one');
      return 'leave';
    }
    if (page.document && !build?.kept) void this.#keep(version, network, page.document);
    return 'stay';
  }

  async #keep(version: string, network: SessionRow['network'], page: Uint8Array): Promise<void> {
    const { database, setting, log } = this.#o;
    try {
      const document = await promisify(gzip)(page);
      if (page.length > DOCUMENT_BYTES_MAX || document.length > STORED_BYTES_MAX) {
        log.warn(
          { build: version, bytes: page.length },
          'the document of this build is too large to be kept',
        );
        return;
      }
      await keepDocument(database, { network, version, document, pinned: setting });
    } catch (error) {
      log.warn({ err: error, build: version }, 'the document of this build could not be kept');
    }
  }
}
