import { getTRPCErrorFromUnknown, initTRPC, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { takeChange } from '#server/accounts/take-change.ts';
import type { Actor } from '#server/core/actor.ts';
import { AppError, type ErrorDetails } from '#server/core/errors.ts';
import { type ErrorCode, OUTCOMES, outcomeOf } from '#server/core/outcomes.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';
import { accountOf, refuseViewer, requireAdmin, userOf } from './account-of.ts';
import type { DashboardContext } from './context.ts';

const t = initTRPC.context<DashboardContext>().create({
  isDev: false,
  errorFormatter: ({ shape, error }) => ({
    ...shape,
    data: { ...shape.data, ...describe(error) },
  }),
  // A page reopens a silent stream.
  sse: {
    ping: { enabled: true, intervalMs: 2_000 },
    client: { reconnectAfterInactivityMs: 6_000 },
    maxDurationMs: 10 * 60_000,
  },
});

export const { router } = t;
export const createCaller = t.createCallerFactory;

const TRPC_CODES = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<ReturnType<typeof outcomeOf>['status'], TRPCError['code']>;

/** What a page gets of an error besides its sentence. */
function describe(
  error: TRPCError,
): { appCode: ErrorCode | null; field: string | null } & Omit<ErrorDetails, 'field'> {
  if (error.cause instanceof AppError)
    return { appCode: error.cause.code, field: null, ...error.cause.details };
  const issue = error.cause instanceof ZodError ? error.cause.issues[0] : undefined;
  return {
    appCode: issue ? 'invalid_parameters' : null,
    field: issue ? String(issue.path.at(-1) ?? '') : null,
  };
}

/**
 * Every procedure: errors become a code of the outcomes table and a sentence, and an administrator who views an
 * account cannot change it.
 */
const base = t.procedure
  .use(async ({ next }) => {
    const result = await next();
    if (result.ok) return result;
    throw presentable(result.error);
  })
  .use(({ ctx, type, path, next }) => {
    refuseViewer(ctx, { type, path });
    return next();
  });

/** An error as a page may read it. For streams, whose later errors pass no middleware. */
export function presentable(thrown: unknown): TRPCError {
  const error = getTRPCErrorFromUnknown(thrown);
  if (error.cause instanceof ZodError) {
    return new TRPCError({
      code: 'BAD_REQUEST',
      message: forPeople(sentenceOf(error.cause)),
      cause: error.cause,
    });
  }
  if (error.code !== 'INTERNAL_SERVER_ERROR' && !error.cause) return error;
  const cause = unstorable(error.cause) ?? toAppError(error.cause ?? error, 'page');
  return new TRPCError({
    code: TRPC_CODES[outcomeOf(cause.code).status],
    message: forPeople(cause.message),
    cause,
  });
}

/** The API names its field `url`; a form calls it URL. */
const forPeople = (sentence: string) => sentence.replace(/^url\b/, 'The URL');

/** The sentence of the first issue, unless it is one of zod's own, which are for programmers. */
function sentenceOf({ issues: [issue] }: ZodError): string {
  if (issue && !/^(Invalid|Too (big|small))\b/.test(issue.message)) return issue.message;
  return issue?.code === 'too_big' ? 'What was entered is too long. Shorten it.' : 'Check what was entered.';
}

/** A refusal for text with a NUL, which PostgreSQL stores neither as text (22021) nor in JSON (22P05). */
function unstorable(thrown: unknown): AppError | null {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if ('code' in error && (error.code === '22021' || error.code === '22P05'))
      return new AppError(
        'invalid_parameters',
        'What was entered contains a character that cannot be stored. Type it again.',
        { cause: thrown },
      );
  return null;
}

/** Anybody, signed in or not. */
export const openProcedure = base;

/** A signed-in user, within the budget of changes. Throws `unauthorized`, `rate_limited`. */
export const userProcedure = base.use(async ({ ctx, type, next }) => {
  const user = userOf(ctx);
  if (type === 'mutation') await takeChange(ctx, { userId: user.userId });
  const actor: Actor = { kind: 'user', userId: user.userId, address: ctx.address };
  return next({ ctx: { user, userId: user.userId, actor } });
});

/** A member of an account: the context gets the account, so that the input never names one. */
export const memberProcedure = userProcedure.use(async ({ ctx, type, next }) => {
  const account = accountOf(ctx);
  if (type === 'mutation') await takeChange(ctx, { accountId: account.accountId });
  return next({ ctx: { account, accountId: account.accountId } });
});

/** An owner of the account, for members, plan, removal, export and deletion. */
export const ownerProcedure = memberProcedure.use(({ ctx, next }) => {
  if (ctx.account.role !== 'owner') {
    throw new AppError('forbidden', OUTCOMES.forbidden.says.ownersOnly);
  }
  return next();
});

/** The installation's administrator, with a second factor if the product faces the internet. */
export const adminProcedure = userProcedure.use(({ ctx, next }) => {
  requireAdmin(ctx);
  return next();
});

/** Behind `adminProcedure`: the input's account becomes the context's. */
export const inAccount = t.middleware(({ input, next }) => {
  const { accountId } = input as { accountId: string };
  return next({ ctx: { accountId } });
});

/**
 * For critical changes: the password was entered in this browser within the last minutes. Chain it after another.
 */
export const requireConfirmed = t.middleware(({ ctx, next }) => {
  if (!userOf(ctx).confirmed) throw new AppError('confirm_password', 'Confirm your password to continue.');
  return next();
});
