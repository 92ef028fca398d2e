import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import { type MemberSignIn, signInsThatHold } from './queries/sign-ins.ts';

/** A sign-in that ended is noticed within this and one query: pages promise a second. */
const CHECK_MS = 500;

const followed = new Map<string, { of: MemberSignIn; ended: Set<() => void> }>();
let timer: NodeJS.Timeout | undefined;
let checking = false;

/**
 * Calls `ended` once when a sign-in does not hold any more, or its user left the account: one query in turn
 * for all that this process follows, however many streams are open. The function returned stops following.
 */
export function followSignIn(
  { database }: InstallationContext,
  of: MemberSignIn,
  ended: () => void,
): () => void {
  const name = nameOf(of);
  const entry = followed.get(name) ?? { of, ended: new Set() };
  followed.set(name, entry);
  entry.ended.add(ended);
  timer ??= setInterval(() => void check(database), CHECK_MS);
  return () => {
    entry.ended.delete(ended);
    if (entry.ended.size === 0 && followed.get(name) === entry) followed.delete(name);
    if (followed.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function nameOf({ signInId, accountId }: MemberSignIn): string {
  return `${signInId} ${accountId}`;
}

async function check(database: Database): Promise<void> {
  if (checking) return;
  checking = true;
  try {
    const asked = [...followed.values()];
    const holding = new Set(
      (
        await signInsThatHold(
          database.db,
          asked.map(({ of }) => of),
        )
      ).map(nameOf),
    );
    for (const { of, ended } of asked) if (!holding.has(nameOf(of))) for (const tell of [...ended]) tell();
  } catch (error) {
    // Without a database nothing is read either; the next check decides.
    log.warn({ err: error }, 'sign-ins not looked at');
  } finally {
    checking = false;
  }
}
