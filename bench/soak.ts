import { appendFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isAccepted } from '#server/core/message-state.ts';
import { atRate } from './load.ts';
import { untilNothingWaits } from './many-numbers.ts';
import { figuresOf, rounded } from './soak-figures.ts';
import { flatten, grew, type Line, tableOf } from './soak-growth.ts';
import { type Product, soakBrowserless, soakBrowsers } from './soak-product.ts';
import { summarise } from './statistics.ts';

const PER_SECOND = 40;
/** What each number can send at twice the rate. */
const INTERVAL_SHARE = 0.5;
/** For each number in a browser. */
const BROWSER_PER_SECOND = 0.25;
const AT_ONCE = 1000;
const MINUTE_MS = 60_000;
/** A message that is not clear yet is looked up in WhatsApp's record, which has to have it still. */
const KEPT_MS = 5 * MINUTE_MS;
const RECIPIENTS = 100_000;
const GROWTH = [
  ...['web.rssMb', 'web.descriptors', 'web.lagP99Ms', 'web.prepared'],
  ...['worker.rssMb', 'worker.descriptors', 'worker.lagP99Ms', 'worker.prepared'],
  ...['postgres.pssMb', 'postgres.descriptors', 'browsers.pssMb', 'browsers.descriptors'],
];

interface SoakOptions {
  minutes: number;
  /** Without browsers. */
  numbers: number;
  /** So many numbers in real Chromium instead. */
  browsers: number;
  /** Messages per second; 0: the default. */
  rate: number;
  /** Gets one line of JSON each minute. */
  out: string;
}

/**
 * The product's processes under a constant rate of messages for hours: each POST must be answered with 200 and each
 * accepted message must arrive exactly once, and memory, descriptors, prepared statements and event-loop lag must not grow.
 */
export async function benchSoak({ minutes, numbers, browsers, rate, out }: SoakOptions) {
  const count = browsers || numbers;
  const perSecond = rate || (browsers ? browsers * BROWSER_PER_SECOND : PER_SECOND);
  const intervalMs = Math.floor((count / perSecond) * 1000 * INTERVAL_SHARE);
  const product = await (browsers ? soakBrowsers : soakBrowserless)(count, intervalMs);
  try {
    const run = new Date().toISOString();
    const soak = new Soak(product, minutes * 60 * perSecond);
    // The first reading of lag covers the start.
    await product.metrics();
    const lines: Line[] = [];
    const posting = atRate({ perSecond, seconds: minutes * 60, atOnce: AT_ONCE }, (n, dueAtMs) =>
      soak.post(n, dueAtMs),
    );
    const startedAtMs = performance.now();
    for (let minute = 1; minute <= minutes; minute++) {
      await delay(Math.max(0, startedAtMs + minute * MINUTE_MS - performance.now()));
      // One reading that fails does not end a run of hours.
      const figures = await soak.minute().catch((error: Error) => ({ error: error.message }));
      lines.push({ minute, figures: flatten(figures) });
      await appendFile(out, `${JSON.stringify({ run, at: new Date().toISOString(), minute, ...figures })}\n`);
    }
    await posting;
    const check = await soak.check();
    const growth = Object.fromEntries(
      GROWTH.filter((name) => lines.some(({ figures }) => name in figures)).map((name) => [
        name,
        grew(lines, name) ?? 'too short to say',
      ]),
    );
    console.table(tableOf(lines));
    await appendFile(out, `${JSON.stringify({ run, check, growth })}\n`);
    if (!check.passed) process.exitCode = 1;
    return { numbers: count, minutes, wantedPerSecond: perSecond, check, growth };
  } finally {
    await product.stop();
  }
}

/** Why there was no answer, such as `ECONNRESET`. */
const codeOf = (error: NodeJS.ErrnoException) => error.code ?? error.message;

/** Posts, and keeps a byte or two of each message: what was answered, and how often it arrived. */
class Soak {
  readonly #product: Product;
  /** By message: 1 if it was answered with 200. */
  readonly #accepted: Uint8Array;
  readonly #arrived: Uint8Array;
  readonly #statuses: Record<string, number> = {};
  #posted = 0;
  /** Of this minute. */
  #times: number[] = [];
  #minuteStatuses: Record<string, number> = {};
  #minuteFromMs = performance.now();
  #minuteFrom = new Date();
  #minuteFromPosts = 0;
  /** Messages in WhatsApp's record that no POST has sent. */
  #foreign = 0;

  constructor(product: Product, messages: number) {
    this.#product = product;
    this.#accepted = new Uint8Array(Math.ceil(messages));
    this.#arrived = new Uint8Array(Math.ceil(messages));
  }

  async post(n: number, dueAtMs: number): Promise<void> {
    const { numbers } = this.#product;
    const message = { to: `4917${10_000_000 + (n % RECIPIENTS)}`, body: `soak ${n}` };
    this.#posted += 1;
    const status = await this.#product.post(n % numbers, message).catch(codeOf);
    if (status === 200) this.#accepted[n] = 1;
    this.#times.push(performance.now() - dueAtMs);
    for (const statuses of [this.#statuses, this.#minuteStatuses])
      statuses[status] = (statuses[status] ?? 0) + 1;
  }

  /** The figures since the last call. */
  async minute() {
    const [times, statuses, from] = [this.#times, this.#minuteStatuses, this.#minuteFrom];
    const seconds = (performance.now() - this.#minuteFromMs) / 1000;
    this.#times = [];
    this.#minuteStatuses = {};
    this.#minuteFromMs = performance.now();
    this.#minuteFrom = new Date();
    const { p50, p95, max } = summarise(times);
    const unanswered = this.#posted - Object.values(this.#statuses).reduce((sum, n) => sum + n, 0);
    const perSecond = rounded((this.#posted - this.#minuteFromPosts) / seconds);
    this.#minuteFromPosts = this.#posted;
    const answers = { perSecond, answered: times.length, unanswered, p50, p95, max, statuses };
    await this.#take(Date.now() - KEPT_MS);
    return { post: answers, sent: await this.#sentSince(from), ...(await figuresOf(this.#product)) };
  }

  /** Messages created since then that have been sent. */
  async #sentSince(from: Date): Promise<number> {
    const [row] = await this.#product.database.sql<{ n: number }[]>`
      select count(*)::int as n from messages
      where account_id = (select account_id from numbers limit 1) and created_at >= ${from} and status in ('sent', 'delivered', 'read')`;
    return row?.n ?? 0;
  }

  async #take(before: number): Promise<void> {
    for (const { body, repeats } of await this.#product.takeArrivals(before)) {
      const n = Number(/^soak (\d+)$/.exec(body ?? '')?.[1]);
      if (n < this.#arrived.length) this.#arrived[n] = (this.#arrived[n] ?? 0) + 1 + repeats;
      else this.#foreign += 1;
    }
  }

  /** Compares the answers with the database and WhatsApp's own record. */
  async check() {
    const { database } = this.#product;
    await untilNothingWaits(database);
    await this.#take(Number.POSITIVE_INFINITY);
    const rows = await database.sql<{ status: Parameters<typeof isAccepted>[0]; n: number }[]>`
      select status, count(*)::int as n from messages group by status`;
    const notSent = rows.reduce((sum, { status, n }) => sum + (isAccepted(status) ? 0 : n), 0);
    let [arrived, lost, repeated, unconfirmed] = [0, 0, 0, 0];
    for (const [n, times] of this.#arrived.entries()) {
      const accepted = this.#accepted[n] === 1;
      arrived += times > 0 ? 1 : 0;
      lost += accepted && times === 0 ? 1 : 0;
      repeated += times > 1 ? 1 : 0;
      unconfirmed += !accepted && times > 0 ? 1 : 0;
    }
    const answered200 = this.#statuses[200] ?? 0;
    const passed = [this.#posted - answered200, notSent, lost, repeated, this.#foreign].every((n) => n === 0);
    const messages = Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    return {
      ...{ passed, posted: this.#posted, answers: this.#statuses, messages, notSent },
      ...{ arrived, lost, repeated, unconfirmed, foreign: this.#foreign },
    };
  }
}
