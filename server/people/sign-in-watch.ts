import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import { inNoTurn } from '#server/platform/page-turn.ts';
import { type MemberSignIn, signInsThatHold } from './queries/sign-ins.ts';

export type { MemberSignIn } from './queries/sign-ins.ts';

/** An ended sign-in is noticed within this time and one query. Pages promise a second. */
const CHECK_MS = 500;

const followed = new Map<string, { of: MemberSignIn; ended: Set<() => void> }>();
let timer: NodeJS.Timeout | undefined;
let checking = false;

/**
 * Calls `ended` once when a sign-in has ended, or its user no longer sees what it follows: the account, as its owner
 * with `ownersOnly`, or the administrator's pages. One query checks all sign-ins that this process follows. Returns a
 * function that stops following.
 */
export function followSignIn(
  { database }: InstallationContext,
  of: MemberSignIn,
  ended: () => void,
): () => void {
  const name = `${nameOf(of)} ${of.ownersOnly === true}`;
  const entry = followed.get(name) ?? { of, ended: new Set() };
  followed.set(name, entry);
  entry.ended.add(ended);
  timer ??= setInterval(() => inNoTurn(() => void check(database)), CHECK_MS);
  return () => {
    entry.ended.delete(ended);
    if (entry.ended.size === 0 && followed.get(name) === entry) followed.delete(name);
    if (followed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function nameOf({ signInId, accountId }: Omit<MemberSignIn, 'ownersOnly'>): string {
  return `${signInId} ${accountId}`;
}

async function check(database: Database): Promise<void> {
  if (checking) return;
  checking = true;
  try {
    const asked = [...followed.values()];
    const rows = await signInsThatHold(
      database.db,
      asked.map(({ of }) => of),
    );
    const holding = new Map(rows.map((row) => [nameOf(row), row]));
    for (const { of, ended } of asked) {
      const row = holding.get(nameOf(of));
      if (!row || (of.ownersOnly && !row.owner)) for (const notify of [...ended]) notify();
    }
  } catch (error) {
    // Without the database pages show nothing either; the next check decides.
    log.warn({ err: error }, 'sign-ins not looked at');
  } finally {
    checking = false;
  }
}
