import { TRPCError } from '@trpc/server';
import { ZodObject } from 'zod';
import { PasswordField } from '#server/core/sign-in-fields.ts';
import { appRouter } from './router.ts';

/** The procedures that check or set a password, which takes a processor for a moment. */
const PASSWORD_PROCEDURES = new Set(
  Object.entries(appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>)
    .filter(([, { _def }]) => _def.inputs.some(hasPassword))
    .map(([path]) => path),
);

function hasPassword(input: unknown): boolean {
  return input instanceof ZodObject && Object.values(input.shape).includes(PasswordField);
}

/** Refuses a request that calls more than one of them. */
export function refuseManyPasswords(calls: readonly { path: string }[]): void {
  if (calls.filter(({ path }) => PASSWORD_PROCEDURES.has(path)).length > 1)
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'The request contains more than one password to check. Send them one after another.',
    });
}
