import type { Running } from './child.ts';
import type { World } from './world.ts';

/** Passes of one row side by side: a fault of the whole world happens once, when all of them have reached it. */
export class Together {
  #passes: number;
  #arrived = 0;
  #turn = Promise.withResolvers<unknown>();
  #work: () => unknown = () => {};

  constructor(passes: number) {
    this.#passes = passes;
  }

  /** Resolves with the result of one pass's `work`. */
  once<T>(work: () => T | Promise<T>): Promise<T> {
    this.#arrived += 1;
    this.#work = work;
    const turn = this.#turn.promise;
    this.#strike();
    return turn as Promise<T>;
  }

  /** A pass has ended: the others no longer wait for it. */
  leave(): void {
    this.#passes -= 1;
    this.#strike();
  }

  #strike(): void {
    if (this.#arrived === 0 || this.#arrived < this.#passes) return;
    const { resolve } = this.#turn;
    const work = this.#work;
    this.#arrived = 0;
    this.#turn = Promise.withResolvers();
    resolve(Promise.resolve().then(work));
  }
}

/** The world of one pass: its own number, and everything else shared. */
export function shareOf(world: World, place: number, together: Together): World {
  return {
    ...world,
    number: () => world.number(place),
    web: shared(world.web, together),
    worker: shared(world.worker, together),
    otherWorker: shared(world.otherWorker, together),
    backend: shared(world.backend, together),
    restartDatabase: () => together.once(() => world.restartDatabase()),
    newWeb: (entry) =>
      together.once(async () => {
        const { child, url } = await world.newWeb(entry);
        return { child: shared(child, together), url };
      }),
  };
}

function shared(child: Running, together: Together): Running {
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
    start: (options) => together.once(() => child.start(options)),
    end: (signal) => together.once(() => child.end(signal)),
    signal: (signal) => child.signal(signal),
    shiftClock: (ms) => child.shiftClock(ms),
  };
}
