import { expectTypeOf, test } from 'vitest';
import type { AccountContext, AccountScope, ActorContext, inside } from './context.ts';

test('an actor without an account is refused by every use case of an account', () => {
  expectTypeOf<ActorContext>().not.toExtend<AccountScope>();
  expectTypeOf<ActorContext>().not.toExtend<AccountContext>();
  expectTypeOf<Omit<AccountContext, 'actor'>>().not.toExtend<AccountContext>();
  expectTypeOf<AccountContext>().toExtend<AccountScope>();
  expectTypeOf<ReturnType<typeof inside>>().toExtend<AccountScope>();
});
