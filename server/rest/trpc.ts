import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { takeChange } from '#server/accounts/take-change.ts';
import { requireAccess, requireNumber } from '#server/api-keys/caller.ts';
import { type RateState, takeRead, takeSend } from '#server/api-keys/rate-limit.ts';
import type { AnswerHead, RestContext } from './context.ts';

const t = initTRPC.context<RestContext>().meta<OpenApiMeta>().create({ isDev: false });

export const { router } = t;

/**
 * Every procedure of the REST API. Its caller is known; this checks, in this order, the rate limit, the access,
 * the number, and that the body could be read. The input is validated after that.
 */
const procedure = (take: typeof takeSend, body: 'read' | 'ignored' = 'read') =>
  t.procedure.use(async ({ ctx, next }) => {
    await take(ctx, ctx.caller, (rate) => setRateLimitHeaders(ctx.answer, rate));
    requireAccess(ctx.caller);
    const number = requireNumber(ctx.caller);
    if (ctx.bodyProblem && body === 'read') throw ctx.bodyProblem;
    return next({ ctx: { number } });
  });

export const sendProcedure = procedure(takeSend);
/** A procedure that only reads. */
export const readProcedure = procedure(takeRead);
/** The same for a POST or DELETE that has no fields. */
export const bodilessProcedure = procedure(takeRead, 'ignored');

/** A read as well, so that its answer has the same headers. */
const takeReadAndChange: typeof takeRead = async (context, caller, onState) => {
  await takeRead(context, caller, onState);
  await takeChange(context, { accountId: caller.accountId });
};

/** A procedure that changes settings. */
export const changeProcedure = procedure(takeReadAndChange);
export const bodilessChangeProcedure = procedure(takeReadAndChange, 'ignored');

/** The fields of draft-ietf-httpapi-ratelimit-headers. */
export function setRateLimitHeaders(answer: AnswerHead, rate: RateState): void {
  answer.headers['RateLimit-Policy'] = `"${rate.policy}";q=${rate.limit};w=${rate.windowSeconds}`;
  answer.headers.RateLimit = `"${rate.policy}";r=${rate.remaining};t=${rate.resetSeconds}`;
}
