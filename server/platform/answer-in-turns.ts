import { AsyncLocalStorage } from 'node:async_hooks';
import { singleton } from '#server/platform/singleton.ts';

/** The place of a request among those that take turns. */
export interface TurnPlace {
  /** Gives the place back, and resolves when it is this request's turn again. */
  again(): Promise<void>;
  rest(): void;
}

// The pages' framework loads its own copy of this module.
const places = singleton('places', () => new AsyncLocalStorage<TurnPlace>());

/** Answers a request that has this place. */
export function answerIn<T>(place: TurnPlace, answer: () => T): T {
  return places().run(place, answer);
}

/** Gives the place of the request that is being answered to the next one, before work outside of the process. */
export function restPlace(): void {
  places().getStore()?.rest();
}

/**
 * The parts of a long answer, each made in a turn of the request that is being answered, so that it uses no more time
 * than other requests. Without a place they are made at once.
 */
export function inTurns<T>(parts: AsyncIterable<T>): AsyncIterable<T> {
  const place = places().getStore();
  return place ? eachInTurn(parts, place) : parts;
}

async function* eachInTurn<T>(parts: AsyncIterable<T>, place: TurnPlace): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      await place.again();
      const { done, value } = await iterator.next().finally(() => place.rest());
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
