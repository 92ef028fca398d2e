import { revokeApiKey } from '#server/api-keys/revoke-api-key.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { atStep } from './at-step.ts';
import { ACTOR, type FaultNumber } from './numbers.ts';
import { delaySlot, storedFor, untilStored } from './oracle.ts';
import { post, summaryOf } from './post.ts';
import { expectNotDelivered, expectSent, type Row } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** A message waits or is being dispatched when something that it needs is removed. */

interface Withdrawal {
  name: string;
  fault: string;
  caller: string;
  withdraw(world: World, number: FaultNumber): Promise<unknown>;
  giveBack?(world: World): Promise<unknown>;
}

const WITHDRAWALS: Withdrawal[] = [
  {
    name: 'key-revoked-waiting',
    fault: 'key revoked, message waiting',
    caller: '401',
    withdraw: (world, { keyId }) => revokeApiKey({ ...world, actor: ACTOR }, { keyId }),
  },
  {
    name: 'plan-ended-waiting',
    fault: 'plan ended, message waiting',
    caller: '402',
    withdraw: ({ database, accountId }) => deactivatePlan({ database, accountId, actor: ACTOR }),
    giveBack: ({ database, accountId }) =>
      activatePlan({ database, accountId, actor: ACTOR }, { numbersIncluded: 1000, paidUntil: '2999-12-31' }),
  },
  {
    name: 'number-removed-waiting',
    fault: 'number removed, message waiting',
    caller: '404',
    withdraw: ({ database, accountId }, { numberId }) =>
      removeNumber({ database, accountId, actor: ACTOR }, { numberId }),
  },
  {
    name: 'phone-unlinked-waiting',
    fault: 'phone unlinked, message waiting',
    caller: '409',
    withdraw: (world, number) => world.transport.unlinkOnPhone(number),
  },
];

export const CANCELLED_ROWS: Row[] = [
  ...WITHDRAWALS.map(
    ({ name, fault, caller, withdraw, giveBack }): Row => ({
      name,
      fault,
      async run(world, posts) {
        const number = await world.freshNumber();
        await delaySlot(world, number);
        const posted = posts(post(world, number));
        const waiting = posts(post(world, number, { prefer: 'respond-async' }));
        await untilStored(world, posted, 'queued');
        await waiting.answer;
        await withdraw(world, number);
        try {
          const seen = await expectNotDelivered(world, posted, caller, 'cancelled');
          const held = name === 'phone-unlinked-waiting' ? 'queued' : 'cancelled';
          await until('the async message is settled', async () => {
            const [message] = await storedFor(world, waiting);
            return message?.status === held;
          });
          return `${seen}; async ${held}`;
        } finally {
          await giveBack?.(world);
        }
      },
    }),
  ),
  {
    name: 'number-removed-dispatching',
    fault: 'number removed while dispatching',
    async run(world, posts, seed) {
      const number = await world.freshNumber();
      const { posted, stage } = await atStep(world, number, { posts, seed });
      const { database, accountId } = world;
      await removeNumber({ database, accountId, actor: ACTOR }, number);
      return `${stage}: ${await expectSent(world, posted)}`;
    },
  },
  {
    name: 'key-revoked-dispatching',
    fault: 'key revoked while dispatching',
    async run(world, posts) {
      const number = await world.freshNumber();
      await world.transport.rule(number, { stage: 'wire', action: 'late', ms: 1500 });
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      await revokeApiKey({ ...world, actor: ACTOR }, { keyId: number.keyId });
      const seen = await expectSent(world, posted);
      const after = summaryOf(await posts(post(world, number)).answer);
      if (after !== '401') throw new Error(`a revoked key was answered ${after}`);
      return seen;
    },
  },
];
