import { setTimeout as delay } from 'node:timers/promises';
import {
  type Effect,
  initialState,
  type NumberEvent,
  type NumberState,
  step,
  undone,
} from '#server/core/number/machine.ts';
import type { Log } from '#server/platform/log.ts';
import type { SessionDispatch } from './dispatch/session-dispatch.ts';
import { NumberEffects, type NumberOptions } from './effects.ts';

/** Tasks fail when the database is not available. Each is tried this many times, with this delay. */
const RETRY_MS = 1000;
const TRIES_MAX = 30;

/**
 * One number under this worker's lease. Each event is a task: the machine says what follows from it, and the effects are
 * done. Tasks run one after the other, in the order in which they were posted.
 */
export class NumberRunner {
  readonly #log: Log;
  readonly #effects: NumberEffects;
  #state: NumberState;
  #last: Promise<void> = Promise.resolve();

  constructor(options: NumberOptions) {
    this.#log = options.log.child({ numberId: options.profile.holding.numberId });
    this.#state = initialState({
      stale: options.source === 'stale',
      intact: options.source === 'snapshot',
      triesBuilds: options.buildSetting === 'latest',
      restartPauseMsMax: options.restartPauseMsMax,
    });
    this.#effects = new NumberEffects({ ...options, log: this.#log }, (event, isCurrent) =>
      this.#post(event, isCurrent),
    );
  }

  /** Starts to do what the number's owner wants. */
  start(): void {
    this.changed();
    this.#post({ on: 'begun' });
  }

  /** The row may have changed. */
  changed(): void {
    this.#post({ on: 'changed' });
  }

  /** Sends its messages. */
  get dispatch(): SessionDispatch {
    return this.#effects.dispatch;
  }

  /** The number is linked, so its session is kept. */
  get linked(): boolean {
    return this.#state.row?.intent !== 'link';
  }

  /** The build of WhatsApp Web that the number's session runs; null while unknown. */
  get build(): string | null {
    return this.#effects.build;
  }

  /** The number is connected, so it still shows as connected during a hand-over. */
  get movable(): boolean {
    return this.dispatch.active && this.#state.row?.intent === 'run';
  }

  /**
   * Dispatches nothing more. Resolves when the current dispatch has its outcome, after `graceMs` at the latest. The
   * session keeps running, so its lease must be renewed until {@link stop}.
   */
  quiesce(graceMs: number): Promise<void> {
    return this.#effects.quiesce(graceMs);
  }

  /** Ends the session and keeps the link. The current dispatch gets up to `graceMs` for its outcome. */
  async stop(graceMs: number): Promise<void> {
    await this.quiesce(graceMs);
    await this.#effects.stop();
    await this.#end();
  }

  /** The lease cannot be kept: the browser ends now, and is killed after `withinMs`. */
  async abandon(withinMs: number): Promise<void> {
    await this.#effects.abandon(withinMs);
    await this.#end();
  }

  /** The last task, which also runs while stopping. */
  #end(): Promise<void> {
    return this.#queue(() => this.#effects.close());
  }

  /**
   * Adds a task, which runs if the event `isCurrent` when its turn comes. A task that fails is retried, because the page
   * reports an event only once: also if it has closed the session whose event it handles.
   */
  #post(event: NumberEvent, isCurrent: () => boolean = () => true): void {
    void this.#queue(async () => {
      if (!isCurrent()) return;
      for (let tries = 1; !this.#effects.stopping; tries++) {
        const before = this.#state;
        const done: Effect[] = [];
        try {
          return await this.#handle(event, done);
        } catch (error) {
          this.#log.warn({ err: error, event: event.on }, 'a task of the session failed');
          this.#state = undone(before, this.#state, done);
          if (tries === TRIES_MAX) return this.#handle({ on: 'given up' }, []);
          await delay(RETRY_MS);
        }
      }
    });
  }

  /** Does what follows from an event, and from the answers to that. Adds each effect to those that are `done`. */
  async #handle(event: NumberEvent, done: Effect[]): Promise<void> {
    for (let next: NumberEvent | null = event; next !== null; ) {
      const { state, effects } = step(this.#state, next, { nowMs: performance.now(), epochMs: Date.now() });
      this.#state = state;
      next = null;
      for (const effect of effects) {
        next = await this.#effects.perform(effect, state.row);
        done.push(effect);
      }
    }
  }

  #queue(task: () => Promise<void>): Promise<void> {
    this.#last = this.#last
      .then(task)
      .catch((error: unknown) => this.#log.error({ err: error }, 'a task of the session failed'));
    return this.#last;
  }
}
