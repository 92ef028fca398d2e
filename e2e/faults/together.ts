import { randomUUID } from 'node:crypto';
import type { Running } from './child.ts';
import type { World } from './world.ts';

interface Turn {
  arrived: number;
  work: () => unknown;
  done: PromiseWithResolvers<unknown>;
}

/** Passes of one row side by side: a fault of the whole world happens once, when all of them have reached it. */
export class Together {
  #passes: number;
  readonly #turns = new Map<string, Turn>();

  constructor(passes: number) {
    this.#passes = passes;
  }

  /** Resolves with the result of one pass's `work`. `what` names it: a pass may wait for several at once. */
  once<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    const turn = this.#turns.get(what) ?? { arrived: 0, work, done: Promise.withResolvers() };
    this.#turns.set(what, turn);
    turn.arrived += 1;
    turn.work = work;
    this.#strike(what, turn);
    return turn.done.promise as Promise<T>;
  }

  /** A pass has ended: the others no longer wait for it. */
  leave(): void {
    this.#passes -= 1;
    for (const [what, turn] of this.#turns) this.#strike(what, turn);
  }

  #strike(what: string, { arrived, work, done }: Turn): void {
    if (arrived < this.#passes) return;
    this.#turns.delete(what);
    done.resolve(Promise.resolve().then(work));
  }
}

/** The world of one pass: its own number, and everything else shared. */
export function shareOf(
  world: World,
  { place, of }: { place: number; of: number },
  together: Together,
): World {
  return {
    ...world,
    number: (n = 0) => world.number(place + n * of),
    web: shared('web', world.web, together),
    worker: shared('worker', world.worker, together),
    otherWorker: shared('other worker', world.otherWorker, together),
    backend: shared('backend', world.backend, together),
    newWorker: (own) =>
      together.once('new worker', async () => shared(randomUUID(), await world.newWorker(own), together)),
    newLine: () => together.once('new line', () => world.newLine()),
    moveDatabaseClock: (ms) => together.once('database clock', () => world.moveDatabaseClock(ms)),
    silenceWorkerLine: (ms) => together.once('silent line', () => world.silenceWorkerLine(ms)),
    allReady: () => together.once('ready', () => world.allReady()),
    restartDatabase: () => together.once('restart database', () => world.restartDatabase()),
    newWeb: (entry) =>
      together.once('new web', async () => {
        const { child, url } = await world.newWeb(entry);
        return { child: shared(randomUUID(), child, together), url };
      }),
  };
}

function shared(name: string, child: Running, together: Together): Running {
  return {
    get output() {
      return child.output;
    },
    get pid() {
      return child.pid;
    },
    get running() {
      return child.running;
    },
    start: (options) => together.once(`start ${name}`, () => child.start(options)),
    end: (signal) => together.once(`end ${name}`, () => child.end(signal)),
    signal: (signal) => together.once(`signal ${name}`, () => child.signal(signal)),
    shiftClock: (ms) => child.shiftClock(ms),
  };
}
