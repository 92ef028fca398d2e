import { setTimeout as delay } from 'node:timers/promises';
import { type Called, callApi } from './api.ts';
import { clock } from './notes.ts';
import type { Stage } from './stage.ts';

const EVERY_MS = 1_000;

/** A customer's program that sends one message each second and writes a log. */
export class Load {
  readonly log: string[] = [];
  /** How many requests were answered 200. */
  accepted = 0;
  readonly #open: Promise<void>[] = [];
  readonly #ended = new AbortController();
  readonly #loop: Promise<void>;

  constructor(stage: Stage, key: string) {
    // It stays the same when the product is stopped and started.
    const { url } = stage.stack;
    const message = (n: number) => ({ to: '4915550500001', body: `Parcel ${n} is on its way.` });
    this.#loop = this.#run((n) => callApi(url, { key, path: '/messages/text', body: message(n) }));
  }

  async #run(send: (n: number) => Promise<Called>): Promise<void> {
    for (let n = 1; !this.#ended.signal.aborted; n++) {
      this.#open.push(this.#one(n, send));
      await delay(EVERY_MS, undefined, { signal: this.#ended.signal }).catch(() => {});
    }
  }

  async #one(n: number, send: (n: number) => Promise<Called>): Promise<void> {
    const at = clock();
    const { status, headers, printed } = await send(n);
    if (status === 200) this.accepted += 1;
    const facts = ['x-error-code', 'x-send-outcome', 'retry-after'].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [`${name}: ${value}`];
    });
    const took = /--- (.*)$/m.exec(printed)?.[1] ?? '';
    this.log.push([at, `message ${n}`, status ?? '', took, ...facts].join('  '));
  }

  /** Stops, and resolves when every request has its answer. */
  async end(): Promise<void> {
    this.#ended.abort();
    await this.#loop;
    await Promise.all(this.#open);
    this.log.sort();
  }
}
