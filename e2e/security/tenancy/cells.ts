import { TRPCError } from '@trpc/server';
import { AppError } from '#server/core/errors.ts';
import type { DashboardContext } from '#server/dashboard/context.ts';
import { appRouter, callerOf } from '#server/dashboard/router.ts';
import { createCaller } from '#server/dashboard/trpc.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { signedIn } from '#server/testing/domain.ts';
import type { WithSql } from '#server/testing/sql.ts';
import type { Actor, World } from './world.ts';

/** The dashboard's procedures, as its router has them. */
export const PROCEDURES = Object.entries(
  appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: 'query' | 'mutation' | 'subscription'; inputs: unknown[] } }
  >,
)
  .map(([path, { _def }]) => ({ path, type: _def.type, schemas: _def.inputs }))
  .sort((a, b) => turnOf(a) - turnOf(b));

/** Reads run first, and procedures that end plans run last, so that each finds the world that it needs. */
function turnOf({ path, type }: { path: string; type: string }): number {
  if (type !== 'mutation') return 0;
  return path.startsWith('admin.') ? 2 : 1;
}

export type Level = 'open' | 'user' | 'member' | 'owner' | 'administrator';

const LEVELS: Readonly<Record<string, Level>> = {
  'account.signUp': 'open',
  'account.setUp': 'open',
  'account.confirmSignUp': 'open',
  'account.claimAdmin': 'user',
  'user.openReset': 'open',
  'user.resetPassword': 'open',
  'user.mailResetLink': 'open',
  'numbers.remove': 'owner',
  'account.setRetention': 'owner',
  'account.payments': 'owner',
  'account.keepNumbers': 'owner',
  'account.requestPlan': 'owner',
  'account.withdrawPlanRequest': 'owner',
  'account.rename': 'owner',
  'account.setTimeZone': 'owner',
  'account.prepareExport': 'owner',
  'account.delete': 'owner',
  'people.open': 'open',
  'people.signUp': 'open',
  'people.join': 'user',
  'people.invitations': 'owner',
  'people.invite': 'owner',
  'people.withdraw': 'owner',
  'people.changeRole': 'owner',
  'people.remove': 'owner',
};

/** Who may call a procedure: a member of the account, unless this table says otherwise. */
export function levelOf(path: string): Level {
  if (path.startsWith('admin.')) return 'administrator';
  return LEVELS[path] ?? (path.startsWith('user.') ? 'user' : 'member');
}

/** The answer of a procedure: data, or the code and sentence of its refusal. */
export type Outcome = { data: unknown } | { code: string; message: string; details: unknown };

/** Calls a procedure as a user whose page claims to show our account. */
export async function ask(
  database: WithSql,
  world: World,
  role: Actor,
  path: string,
  input: unknown,
): Promise<Outcome> {
  const context = await contextOf(database, world, role);
  try {
    const call = path.split('.').reduce<unknown>((at, part) => (at as never)[part], callerOf(context));
    return { data: await firstOf(await (call as (input: unknown) => Promise<unknown>)(input)) };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    const details = error.cause instanceof AppError ? error.cause.details : null;
    return { code: error.code, message: error.message, details };
  }
}

/** The stream that an open page listens to. */
export async function streamFor(database: WithSql, world: World, role: Actor) {
  const { signal } = new AbortController();
  return createCaller(appRouter)(await contextOf(database, world, role), { signal }).live.changes();
}

async function contextOf(database: WithSql, world: World, role: Actor): Promise<DashboardContext> {
  return {
    database,
    user: role === 'anonymous' ? null : await signedInAs(database, world, role),
    accountChoice: world.ours.accountId,
    address: '192.0.2.1',
    device: null,
  };
}

const browsers = new Map<Actor, { signInId: string }>();

/** A user in their own browser, or in a new one if that was signed out. */
async function signedInAs(database: WithSql, world: World, role: Exclude<Actor, 'anonymous'>) {
  const known = browsers.get(role);
  const views = role === 'viewer' ? world.ours.accountId : undefined;
  const still = known && (await sessionUser({ database }, known));
  if (still?.confirmed && still.views?.accountId === views) return still;
  const browser = await signedIn(database, {
    userId: world.users[role === 'viewer' ? 'administrator' : role],
  });
  if (views !== undefined)
    await database.sql`update sign_ins set views_account_id = ${views} where id = ${browser.signInId}`;
  browsers.set(role, browser);
  return sessionUser({ database }, browser);
}

/** The first event of a stream; any other answer unchanged. */
async function firstOf(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  for await (const news of answer as AsyncIterable<unknown>) return news;
  return null;
}

export const isFault = (outcome: Outcome): boolean =>
  'code' in outcome && outcome.code === 'INTERNAL_SERVER_ERROR';
export const codeOf = (outcome: Outcome): string => ('code' in outcome ? outcome.code : 'OK');

/** The texts of our account that an answer shows. */
export function leaks(world: World, outcome: unknown): string[] {
  const text = JSON.stringify(outcome) ?? '';
  return world.canaries.filter((canary) => text.includes(canary));
}
