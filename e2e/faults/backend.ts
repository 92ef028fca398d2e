/**
 * A customer's backend: `node backend.ts <port> <directory>`. It verifies and stores each event before it answers,
 * and posts the orders of `orders.json` with one `Idempotency-Key` each. It can be killed: its state is on disk.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { HookBehaviour, OrderBook, ReceivedEvent, TakenOrder } from './hook-files.ts';

const [, , port = '', directory = ''] = process.argv;
const LATE_MS = 10_000;
const SLOW_MS = 1000;
const AGAIN_MS = 200;

const file = (name: string) => path.join(directory, name);
const linesOf = <Line>(name: string): Line[] =>
  existsSync(file(name))
    ? readFileSync(file(name), 'utf8')
        .split('\n')
        .flatMap((line) => (line ? [JSON.parse(line)] : []))
    : [];
const append = (name: string, line: unknown) => appendFileSync(file(name), `${JSON.stringify(line)}\n`);

const seen = new Map<string, Set<string>>();
const seenBy = (hook: string) => {
  const known = seen.get(hook) ?? new Set(linesOf<ReceivedEvent>(`${hook}.jsonl`).map(({ id }) => id));
  seen.set(hook, known);
  return known;
};

/** Hooks that have received an event twice: from then on `late` and `held` hooks answer at once. */
const repeated = new Set<string>();

/** The time until the answer; null: no answer. */
function answerAfterMs(behaviour: HookBehaviour, over: boolean): number | null {
  switch (behaviour) {
    case 'prompt':
      return 0;
    case 'slow':
      return SLOW_MS;
    case 'late':
      return over ? 0 : LATE_MS;
    case 'held':
      return over ? 0 : null;
    case 'silent':
      return null;
    default:
      return behaviour satisfies never;
  }
}

createServer(async (request, response) => {
  const [, behaviour = '', hook = ''] = (request.url ?? '').split('/');
  const body = await text(request).catch(() => null);
  if (body === null) return;
  const headers = request.headers as Record<string, string>;
  const id = headers['webhook-id'] ?? '';
  try {
    new Webhook(readFileSync(file(`${hook}.secret`), 'utf8')).verify(body, headers);
  } catch (error) {
    append(`${hook}.refused.jsonl`, { id, body, error: String(error) });
    return void response.writeHead(401).end();
  }
  const known = seenBy(hook);
  if (known.has(id)) repeated.add(hook);
  const received: ReceivedEvent = { id, body, at: Date.now() };
  append(`${hook}.jsonl`, received);
  known.add(id);
  const ms = answerAfterMs(behaviour as HookBehaviour, repeated.has(hook));
  if (ms === null) return;
  if (ms > 0) await delay(ms);
  response.writeHead(204).end();
}).listen(Number(port), '127.0.0.1', () => process.send?.('ready'));

/**
 * Posts an order until it is accepted, whatever other answers come. If its outcome is unknown, it was accepted by an
 * earlier request whose answer was lost: each repeat then gets the same error, which names the message.
 */
async function place(url: string, key: string, order: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/v1/messages/text`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'idempotency-key': order,
        prefer: 'respond-async',
      },
      body: JSON.stringify({ to: `4917${order.padStart(8, '0')}`, body: `Order ${order}` }),
    }).catch(() => null);
    await answer?.body?.cancel();
    const accepted = answer?.ok || answer?.headers.get('x-error-code') === 'send_unknown';
    const messageId = answer?.headers.get('x-message-id');
    if (accepted && messageId) return append('taken.jsonl', { order, messageId } satisfies TakenOrder);
    await delay(AGAIN_MS);
  }
}

if (existsSync(file('orders.json'))) {
  const { url, keys, orders }: OrderBook = JSON.parse(readFileSync(file('orders.json'), 'utf8'));
  const taken = new Set(linesOf<TakenOrder>('taken.jsonl').map(({ order }) => order));
  for (const [place_, key] of keys.entries()) {
    const own = Array.from({ length: orders }, (_, n) => n).filter((n) => n % keys.length === place_);
    void (async () => {
      for (const n of own) if (!taken.has(String(n))) await place(url, key, String(n));
    })();
  }
}
