import { expectTypeOf, test } from 'vitest';
import type { AccountContext, AccountScope, ActorContext, inside } from './context.ts';

test('somebody who acts in no account is refused by everything that works on one', () => {
  expectTypeOf<ActorContext>().not.toExtend<AccountScope>();
  expectTypeOf<ActorContext>().not.toExtend<AccountContext>();
  expectTypeOf<Omit<AccountContext, 'actor'>>().not.toExtend<AccountContext>();
  expectTypeOf<AccountContext>().toExtend<AccountScope>();
  expectTypeOf<ReturnType<typeof inside>>().toExtend<AccountScope>();
});
