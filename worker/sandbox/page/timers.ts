/**
 * The page replaces the browser's timers by its own, before anything else of it runs. Their IDs count from 0 in one table:
 * a timer that was started before cannot be stopped by the new names, and its ID may be another timer's.
 */

const browser = {
  __fbNativeSetTimeout: window.setTimeout.bind(window),
  __fbNativeClearTimeout: window.clearTimeout.bind(window),
  __fbNativeSetInterval: window.setInterval.bind(window),
  __fbNativeClearInterval: window.clearInterval.bind(window),
  __fbNativeRequestAnimationFrame: window.requestAnimationFrame.bind(window),
  __fbNativeCancelAnimationFrame: window.cancelAnimationFrame.bind(window),
};

/** What ends each running timer. */
const running = new Map<number, () => void>();
let next = 0;

/** `begin` starts the timer and returns what ends it. It gets a function for its last run, and one for another pause. */
function start(begin: (over: () => void, again: (begin: () => () => void) => void) => () => void): number {
  const id = next++;
  const over = () => running.delete(id);
  const again = (begin: () => () => void) => running.has(id) && running.set(id, begin());
  running.set(id, begin(over, again));
  return id;
}

function clear(id?: number): void {
  if (id === undefined) return;
  running.get(id)?.();
  running.delete(id);
}

function after(ms: number | undefined, run: () => void): () => void {
  const timer = browser.__fbNativeSetTimeout(run, ms);
  return () => browser.__fbNativeClearTimeout(timer);
}

Object.assign(window, browser, {
  setTimeout: (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    start((over) =>
      after(ms, () => {
        over();
        run(...given);
      }),
    ),
  // Each run starts the next pause.
  setInterval: (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    start((_, again) => {
      const step = () => {
        run(...given);
        again(() => after(ms, step));
      };
      return after(ms, step);
    }),
  requestAnimationFrame: (run: FrameRequestCallback) =>
    start((over) => {
      const frame = browser.__fbNativeRequestAnimationFrame((time) => {
        over();
        run(time);
      });
      return () => browser.__fbNativeCancelAnimationFrame(frame);
    }),
  clearTimeout: clear,
  clearInterval: clear,
  cancelAnimationFrame: clear,
});
