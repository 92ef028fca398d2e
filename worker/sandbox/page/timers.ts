/**
 * The page replaces the browser's timers by its own, before anything else of it runs. Their IDs count from 0 in a table
 * of their own: a timer that was started before cannot be stopped by the new names, and its ID may be another timer's.
 */

const NAMES = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'requestAnimationFrame',
] as const;

const browser = Object.fromEntries(NAMES.map((name) => [name, window[name].bind(window)])) as Pick<
  typeof window,
  (typeof NAMES)[number]
>;
/** The browser's timer of each ID, which clears it. */
const running = new Map<number, () => void>();
let next = 0;

function start(begin: (id: number) => () => void): number {
  const id = next++;
  running.set(id, begin(id));
  return id;
}

function clear(id: unknown): void {
  running.get(id as number)?.();
  running.delete(id as number);
}

Object.assign(window, {
  ...Object.fromEntries(NAMES.map((name) => [`__fbNative${name}`, browser[name]])),
  setTimeout: (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    start((id) => {
      const timer = browser.setTimeout(() => {
        running.delete(id);
        run(...given);
      }, ms);
      return () => browser.clearTimeout(timer);
    }),
  setInterval: (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
    start(() => {
      const timer = browser.setInterval(run, ms, ...given);
      return () => browser.clearInterval(timer);
    }),
  requestAnimationFrame: (run: FrameRequestCallback) =>
    start((id) => {
      const frame = browser.requestAnimationFrame((time) => {
        running.delete(id);
        run(time);
      });
      return () => cancelAnimationFrame(frame);
    }),
  clearTimeout: clear,
  clearInterval: clear,
});
