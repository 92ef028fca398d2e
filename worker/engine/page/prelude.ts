/**
 * The first script of each document. WhatsApp's page replaces the browser's timers by its own, whose IDs are no IDs of
 * the browser's, so a timer that was started before could not be stopped. Everything of ours in the page uses these.
 */

export interface Prelude {
  /** Calls `step` every `ms`, and less often after a minute, until it returns true. It may throw while the page's scripts are loading. */
  poll(ms: number, step: () => boolean): void;
  wait(ms: number): Promise<void>;
  /** Settles as `work` does, or resolves to `late` after `ms`. */
  within<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L>;
  /** True the first time that it is called for this object and purpose. */
  isFirst(target: object, purpose: string): boolean;
  /**
   * Replaces a function of the page by `wrap` of it, unless ours for this purpose is already among its layers.
   * Callers that hold the function itself are not affected.
   */
  hook<O extends object, K extends keyof O>(
    owner: O,
    name: K,
    purpose: string,
    wrap: (inner: O[K]) => O[K],
  ): void;
}

export interface PreludePage {
  wirebird: Prelude;
}

/** What a function of ours that replaces one of the page's says of itself. */
export interface Layer {
  wirebirdPurpose?: string;
  wirebirdInner?: Layer;
}

/** Run it in each new document before any other script of ours. It may use only the page's globals. */
export function keepBrowser(): void {
  const site = window as unknown as Partial<PreludePage> & typeof window;
  if (site.top !== site) return;
  const { setTimeout: start, Promise: Result } = site;
  /** A build that lacks what is waited for is not asked fifty times a second for ever. */
  const SLOWS_AFTER_MS = 60_000;
  const SLOW_MS = 1_000;
  const marks = new WeakMap<object, Set<string>>();
  site.wirebird = {
    poll(ms, step) {
      const slowsAt = performance.now() + SLOWS_AFTER_MS;
      const again = () => {
        try {
          if (step()) return;
        } catch {
          // The page's scripts are still loading.
        }
        start.call(site, again, performance.now() < slowsAt ? ms : SLOW_MS);
      };
      start.call(site, again, ms);
    },
    wait: (ms) => new Result((resolve) => void start.call(site, resolve, ms)),
    within: (ms, work, late) =>
      new Result((resolve, reject) => {
        start.call(site, () => resolve(late), ms);
        work.then(resolve, reject);
      }),
    isFirst(target, purpose) {
      const known = marks.get(target) ?? new Set();
      if (known.has(purpose)) return false;
      marks.set(target, known.add(purpose));
      return true;
    },
    hook(owner, name, purpose, wrap) {
      const inner = owner[name];
      for (let layer = inner as Layer | undefined; layer; layer = layer.wirebirdInner) {
        if (layer.wirebirdPurpose === purpose) return;
      }
      owner[name] = Object.assign(wrap(inner) as object, {
        wirebirdPurpose: purpose,
        wirebirdInner: inner,
      }) as typeof inner;
    },
  };
}
