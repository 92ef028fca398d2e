import { expect } from 'vitest';
import type { Outgoing } from '#server/core/engine.ts';
import type { Opened, TemporaryEngine } from './engine.ts';
import { text } from './engine-message.ts';

/** Where a message is struck: before its job begins, or after it has reached the server. */
export const STRIKE_STAGES = ['add', 'after'] as const;

interface Strike {
  phone: string;
  to: string;
  stage: (typeof STRIKE_STAGES)[number];
}

const arrivedAt = async (engine: TemporaryEngine, phone: string, { waMessageId }: Outgoing) =>
  (await engine.control.inbox({ phone })).filter(({ id }) => id === waMessageId).length;

/** Sends a message, and strikes while the page sends it. Its outcome must not be certain. */
export async function strikeWhileSending(
  engine: TemporaryEngine,
  me: Opened,
  { phone, to, stage, strike }: Strike & { strike(): Promise<void> },
): Promise<Outgoing> {
  await engine.control.addRule({ phone, rule: { stage, action: 'hang' } });
  const message = text(to, `struck at ${stage}`);
  const sent = me.session.send(message).then(
    () => 'dispatched',
    (error: unknown) => error,
  );
  if (stage === 'after') await expect.poll(() => arrivedAt(engine, phone, message)).toBe(1);
  else await expect.poll(() => me.fence.asked).toContain(message.waMessageId);
  await strike();
  const outcome = await sent;
  if (outcome !== 'dispatched') expect(outcome).toMatchObject({ certain: false, reason: 'page' });
  expect(me.events.failures.has(message.waMessageId)).toBe(false);
  await engine.control.clearRules({ phone });
  return message;
}

/** In the next session: the page has stored a message that reached the server, and only such a message. */
export async function expectStruck(
  engine: TemporaryEngine,
  me: Opened,
  { phone, stage, message }: Omit<Strike, 'to'> & { message: Outgoing },
): Promise<void> {
  const ack = await me.session.reconcile(message);
  if (stage === 'after') expect(ack).toBeGreaterThanOrEqual(0);
  else expect(ack).toBeNull();
  expect(await arrivedAt(engine, phone, message)).toBe(stage === 'after' ? 1 : 0);
}
