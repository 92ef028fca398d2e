import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HookBehaviour, ReceivedEvent } from './hook-files.ts';
import type { FaultNumber } from './numbers.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** By then an event that a killed process had claimed was delivered again, even on a busy machine. */
const REPORTED_WITHIN_MS = 90_000;

/** A webhook endpoint of a number, at the customer's backend. */
export interface Hook {
  number: FaultNumber;
  endpointId: string;
  /** Its name in the backend's files. */
  name: string;
  /** The `seq` of the number's last message before the endpoint existed. */
  afterSeq: number;
}

const fileOf = ({ backendDir }: World, name: string) => path.join(backendDir, name);

export async function openHook(world: World, number: FaultNumber, behaviour: HookBehaviour): Promise<Hook> {
  const name = randomUUID();
  const answer = await fetch(`${world.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${number.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${world.backendUrl}/${behaviour}/${name}` }),
  });
  if (!answer.ok) throw new Error(`POST /v1/webhooks answered ${answer.status}: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { id: string; secret: string } };
  writeFileSync(fileOf(world, `${name}.secret`), data.secret);
  // Not by time: another row may have moved the database's clock.
  const [row] = await world.database.sql<{ afterSeq: number }[]>`
    select coalesce(max(seq), 0)::float8 as "afterSeq" from messages where number_id = ${number.numberId}`;
  return { number, endpointId: data.id, name, afterSeq: row?.afterSeq ?? 0 };
}

export async function closeHook(world: World, { endpointId }: Hook): Promise<void> {
  await world.database.sql`delete from webhook_endpoints where id = ${endpointId}`;
}

/** The events that the backend has received at this endpoint, in the order of arrival. */
export const receivedAt = (world: World, { name }: Hook): ReceivedEvent[] => linesOf(world, `${name}.jsonl`);

export function linesOf<Line>(world: World, name: string): Line[] {
  const file = fileOf(world, name);
  if (!existsSync(file)) return [];
  // The last line may be incomplete.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The events of one message or number, each once, in the order in which the backend first saw them. */
export function storiesOf(received: readonly ReceivedEvent[]): Map<string, Reported[]> {
  const first = new Map<string, ReceivedEvent>();
  for (const event of received) if (!first.has(event.id)) first.set(event.id, event);
  const reported = [...first.values()].map(({ body }) => JSON.parse(body).data as Reported);
  return Map.groupBy(reported, ({ id }) => id);
}

export interface Reported {
  /** The ID of the message or number. */
  id: string;
  sequence: number;
  status: string;
}

interface Truth extends Omit<Reported, 'sequence'> {
  /** How many of its changes have events. */
  events: number;
}

/** The stored state of the number's messages whose events go to this endpoint. */
const truthOf = (world: World, { number, afterSeq }: Hook) =>
  world.database.sql<Truth[]>`
    select id, status, event_sequence as events from messages
    where number_id = ${number.numberId} and seq > ${afterSeq} order by seq`;

/**
 * Waits until the backend knows the state of each message, then checks what must always hold: every event arrived,
 * signed, with the same body each time, and the events of a message arrived in order. Returns a summary.
 */
export async function expectReported(
  world: World,
  hook: Hook,
  { inOrder = true, withinMs = REPORTED_WITHIN_MS }: { inOrder?: boolean; withinMs?: number } = {},
): Promise<string> {
  let differences: string[] = [];
  await until(
    'the backend knows the true state of each message',
    async () => {
      const truth = await truthOf(world, hook);
      differences = differencesOf(truth, storiesOf(receivedAt(world, hook)));
      return truth.length > 0 && differences.length === 0;
    },
    withinMs,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${differences.join('; ')}`);
  });
  const received = receivedAt(world, hook);
  const problems = problemsOf(received, inOrder);
  for (const { error } of linesOf<{ error: string }>(world, `${hook.name}.refused.jsonl`))
    problems.push(`a request was refused: ${error}`);
  if (problems.length > 0) throw new Error(problems.join('; '));
  const repeated = received.length - new Set(received.map(({ id }) => id)).size;
  return `${repeated > 0 ? 'repeated' : 'once each'}, in order, true`;
}

/** The differences between the messages as the backend knows them and as the database has them. */
function differencesOf(truth: readonly Truth[], stories: ReadonlyMap<string, Reported[]>): string[] {
  return truth.flatMap(({ id, status, events }) => {
    if (status === 'queued' || status === 'sending') return [`${id} is still ${status}`];
    const story = (stories.get(id) ?? []).toSorted((a, b) => a.sequence - b.sequence);
    const missing = events - new Set(story.map(({ sequence }) => sequence)).size;
    if (missing > 0) return [`${id}: ${missing} of ${events} events are missing`];
    const last = story.at(-1)?.status;
    return last === status ? [] : [`${id} is ${status}, the backend has ${last}`];
  });
}

function problemsOf(received: readonly ReceivedEvent[], inOrder: boolean): string[] {
  const problems: string[] = [];
  for (const [id, repeats] of Map.groupBy(received, ({ id }) => id))
    if (new Set(repeats.map(({ body }) => body)).size > 1)
      problems.push(`${id} did not arrive with the same body each time`);
  for (const [id, story] of storiesOf(received)) {
    const order = story.map(({ sequence }) => sequence);
    if (inOrder && order.some((sequence, n) => sequence <= (order[n - 1] ?? 0)))
      problems.push(`the events of ${id} arrived in the order ${order.join(', ')}`);
  }
  return problems;
}
