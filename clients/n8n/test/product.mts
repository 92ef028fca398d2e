import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const PROGRAM = path.join(import.meta.dirname, '../../testing/product.ts');

export interface Arrival {
  numberId: string;
  to: string;
  body: string;
  repeats: number;
}

/** The real product without browsers, in its own process (`clients/testing/product.ts`). */
export interface Product extends AsyncDisposable {
  baseUrl: string;
  control: string;
  /** A connected number that no other test has taken. */
  takeNumber(): { numberId: string; key: string };
  /** What the recipients of a number's messages got, once it is at least `count` messages. */
  arrivals(numberId: string, count: number): Promise<Arrival[]>;
  /** The next message of the number is refused by WhatsApp's server. */
  refuseNext(numberId: string): Promise<void>;
}

export async function startProduct(options: { numbers: number; webhookHost: string }): Promise<Product> {
  const args = [PROGRAM, '--numbers', String(options.numbers), '--webhook-hosts', options.webhookHost];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { baseUrl, control, numbers } = JSON.parse(await firstLine(child));
  return {
    baseUrl,
    control,
    takeNumber() {
      const number = numbers.shift();
      if (!number) throw new Error('start the product with more numbers');
      return number;
    },
    async arrivals(numberId, count) {
      return until(async () => {
        const all = (await (await fetch(`${control}/arrivals`)).json()) as Arrival[];
        const ofNumber = all.filter((one) => one.numberId === numberId);
        return ofNumber.length >= count ? ofNumber : null;
      });
    },
    async refuseNext(numberId) {
      const body = JSON.stringify({ numberId, stage: 'wire', action: 'refuse' });
      await fetch(`${control}/rules`, { method: 'POST', body });
    },
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout) createInterface(child.stdout).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the product ended with code ${code}`)));
  });
}

/** The first value that is not null. It looks every `everyMs`. */
export async function until<T>(look: () => Promise<T | null>, limitMs = 20_000, everyMs = 20): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await look();
    if (value !== null) return value;
    if (performance.now() > end) throw new Error(`not within ${limitMs / 1000} s: ${look}`);
    await delay(everyMs);
  }
}

/** A proxy on the way to the product. `loseAnswer` says which requests lose their answer after the product gave it. */
export async function startProxy(
  target: string,
  loseAnswer: (request: { url: string }) => boolean,
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).filter(([name]) => !HOP.includes(name)) as [
      string,
      string,
    ][];
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = await answer.text();
    if (loseAnswer({ url: request.url ?? '' })) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const HOP = ['connection', 'host', 'content-length', 'transfer-encoding'];
