import { expectTypeOf, test } from 'vitest';
import type {
  AccountContext,
  AccountScope,
  ActorContext,
  InstallationContext,
  InstallationScope,
  inside,
  insideNumber,
  NumberReadScope,
  NumberScope,
  SenderContext,
  UserScope,
  VisitorContext,
} from './context.ts';

test('a use case of an account refuses a context without an account', () => {
  expectTypeOf<ActorContext>().not.toExtend<AccountScope>();
  expectTypeOf<ActorContext>().not.toExtend<AccountContext>();
  expectTypeOf<InstallationContext>().not.toExtend<AccountScope>();
  expectTypeOf<Omit<AccountContext, 'actor'>>().not.toExtend<AccountContext>();
  expectTypeOf<AccountContext>().toExtend<AccountScope>();
  expectTypeOf<ReturnType<typeof inside>>().toExtend<AccountScope>();
});

test('a use case that reads all accounts refuses the context of one account', () => {
  expectTypeOf<AccountContext>().not.toExtend<InstallationScope>();
  expectTypeOf<AccountScope>().not.toExtend<InstallationScope>();
  expectTypeOf<ActorContext>().toExtend<InstallationScope>();
});

test('a use case of a number or a user refuses a context without one', () => {
  expectTypeOf<AccountContext>().not.toExtend<NumberScope>();
  expectTypeOf<NumberScope>().not.toExtend<SenderContext>();
  expectTypeOf<NumberScope>().toExtend<NumberReadScope>();
  expectTypeOf<ReturnType<typeof insideNumber>>().toExtend<NumberReadScope>();
  expectTypeOf<AccountScope>().not.toExtend<NumberReadScope>();
  expectTypeOf<VisitorContext>().not.toExtend<UserScope>();
});
