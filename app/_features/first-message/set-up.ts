import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { useTRPCClient } from '#app/_trpc/client.ts';
import { firstMessage as texts } from './words.ts';

export type Step = 'number' | 'phone' | 'key';
/** Without a plan there is no key: the API would refuse it. */
export const stepsOf = (trial: boolean): readonly Step[] =>
  trial ? ['number', 'phone'] : ['number', 'phone', 'key'];

/** The number that is used, if the account has one. */
export const sandboxNumberOf = <N extends Pick<NumberItem, 'network'>>(numbers: readonly N[]) =>
  numbers.find(({ network }) => network === 'sandbox');

/** What exists already. */
export const doneBefore = (number: Pick<NumberItem, 'status'> | undefined): readonly Step[] =>
  number === undefined ? [] : number.status === 'CONNECTED' ? ['number', 'phone'] : ['number'];

/** What remains to be made. */
export function remaining(trial: boolean, done: readonly Step[]): 'all' | 'both' | 'key' | 'rest' {
  if (done.length === 0) return trial ? 'both' : 'all';
  return done.length === 2 && !trial ? 'key' : 'rest';
}

export interface SetUp {
  numberId: string;
  /** Shown once. Null without a plan. */
  apiKey: string | null;
}

const POLL_MS = 500;
const LINKED_WITHIN_MS = 60_000;

/**
 * Creates what a first message needs: a linked sandbox number and, with a plan, a key. Uses an existing number,
 * so that a second attempt continues the first. Throws the procedures' errors, or a sentence if linking takes
 * too long.
 */
export async function setUp(
  client: ReturnType<typeof useTRPCClient>,
  { trial, onStep }: { trial: boolean; onStep: (step: Step) => void },
): Promise<SetUp> {
  onStep('number');
  const numbers: NumberItem[] = await client.numbers.list.query();
  const number =
    sandboxNumberOf(numbers) ??
    (await client.numbers.add.mutate({ network: 'sandbox', label: texts.numberLabel }));
  const numberId = number.id;
  onStep('phone');
  const until = performance.now() + LINKED_WITHIN_MS;
  let status = number.status;
  let asked = false;
  while (status !== 'CONNECTED') {
    if (performance.now() > until) throw texts.slow;
    if (status === 'LINKING') {
      const { offered } = await client.sandbox.phone.query({ numberId });
      // The code may expire before it is scanned; the next one is offered at once.
      if (offered.qr) await client.sandbox.drive.mutate({ numberId, phoneAction: 'scan' }).catch(() => {});
    } else if (status === 'RECONNECTING' && trial) {
      // The number is resting, or already starting.
      await client.numbers.startTrial.mutate({ numberId });
    } else if (!asked) {
      await client.numbers.openLinking.mutate({ numberId });
      asked = true;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    ({ status } = await client.numbers.get.query({ numberId }));
  }
  if (trial) return { numberId, apiKey: null };
  onStep('key');
  const { key } = await client.keys.create.mutate({ numberId, name: texts.keyName, expiresAt: null });
  return { numberId, apiKey: key };
}
