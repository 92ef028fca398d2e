import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, Worker } from 'node:worker_threads';
import postgres from 'postgres';

/** Connections that change messages, each one change after another. */
const CHANGERS = 8;
const POLL_MS = 10;
const DRAINED_WITHIN_MS = 60_000;

/** A message to change. `expected`: whether its event should arrive. */
export interface Due {
  id: string;
  status: string;
  expected: boolean;
}

/** What the thread is asked, and what it answers. */
interface Calls {
  /** Starts the customers' server: `/good` answers at once, `/silent` never. Resolves to its address. */
  listen(): Promise<string>;
  /** Makes the changes, evenly spread. Resolves to how many it made per second. */
  change(params: { databaseUrl: string; due: Due[]; perSecond: number }): Promise<number>;
  /** Waits until every expected event has arrived. Resolves to how long each took since its change, in ms. */
  arrived(): Promise<{ lateMs: number[]; unanswered: number }>;
}

type Call = { [Name in keyof Calls]: { name: Name; params: Parameters<Calls[Name]>[0] } }[keyof Calls];

/** The customers' servers and the changes of messages, in a thread of lower priority. */
export class WebhookLoad {
  readonly #thread = new Worker(new URL(import.meta.url));

  listen = () => this.#ask<string>({ name: 'listen', params: undefined });
  change = (params: Parameters<Calls['change']>[0]) => this.#ask<number>({ name: 'change', params });
  arrived = () => this.#ask<{ lateMs: number[]; unanswered: number }>({ name: 'arrived', params: undefined });
  stop = () => this.#thread.terminate();

  #ask<Result>(call: Call): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#thread.once('message', resolve);
    this.#thread.once('error', reject);
    this.#thread.postMessage(call);
    return promise.finally(() => this.#thread.off('error', reject));
  }
}

/** What other machines would do in production takes processor time of this one only while the product uses none. */
function takeIdleTimeOnly(): void {
  if (process.platform !== 'linux') return;
  const threadId = path.basename(readlinkSync('/proc/thread-self'));
  // At any other priority, a running thread may keep its core for milliseconds from one that wakes up.
  execFileSync('chrt', ['--idle', '--pid', '0', threadId]);
}

function answerCalls(port: NonNullable<typeof parentPort>): void {
  takeIdleTimeOnly();
  /** When each change that has not arrived yet was made: `<message> <status>` to ms. */
  const changedAt = new Map<string, number>();
  let lateMs: number[] = [];
  let unanswered = 0;
  const server = createServer(async (request, response) => {
    if (request.url === '/silent') {
      unanswered += 1;
      return;
    }
    const now = performance.now();
    const { data } = (await json(request)) as { data: { id: string; status: string } };
    response.writeHead(204).end();
    const key = `${data.id} ${data.status}`;
    const changed = changedAt.get(key);
    if (changed !== undefined) lateMs.push(now - changed);
    changedAt.delete(key);
  });
  const calls: Calls = {
    listen: async () => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    change: async ({ databaseUrl, due, perSecond }) => {
      const sql = postgres(databaseUrl, { max: CHANGERS });
      const startedAt = performance.now();
      let next = 0;
      const changer = async () => {
        for (let n = next++; n < due.length; n = next++) {
          const early = startedAt + (n * 1000) / perSecond - performance.now();
          if (early > 0) await delay(early);
          const { id, status, expected } = due[n] as Due;
          if (expected) changedAt.set(`${id} ${status}`, performance.now());
          await sql`
            update messages set status = ${status}
            where id = ${id} and set_config('synchronous_commit', 'off', true) = 'off'`;
        }
      };
      await Promise.all(Array.from({ length: CHANGERS }, changer));
      const seconds = (performance.now() - startedAt) / 1000;
      await sql.end();
      return due.length / seconds;
    },
    arrived: async () => {
      const until = performance.now() + DRAINED_WITHIN_MS;
      while (changedAt.size > 0) {
        if (performance.now() > until) throw new Error(`${changedAt.size} events have not arrived`);
        await delay(POLL_MS);
      }
      const arrived = { lateMs, unanswered };
      lateMs = [];
      unanswered = 0;
      return arrived;
    },
  };
  port.on('message', async (call: Call) => {
    // An error ends the thread, and so the benchmark.
    port.postMessage(await (call.name === 'change' ? calls.change(call.params) : calls[call.name]()));
  });
}

if (parentPort) answerCalls(parentPort);
