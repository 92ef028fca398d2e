import { plural } from './lost-text.ts';
import type { DatabaseSession, DatabaseWaits, LockHolder } from './queries/database-waits.ts';

/** Whose session it is, and since when its transaction is open. */
export function sessionText({ pid, user, application, openSeconds }: DatabaseSession): string {
  const who = `PID ${pid}, ${[application, `user ${user}`].filter(Boolean).join(', ')}`;
  if (openSeconds === null) return who;
  const since = new Date(Date.now() - openSeconds * 1000).toISOString();
  return `${who}, since ${since.slice(0, 16).replace('T', ' ')} UTC`;
}

/** What the database waits for, for the operator: who waits for whom, and what to do. Null if nothing is known. */
export function waitsText({ standby, locks }: DatabaseWaits): { found: string; todo: string } | null {
  if (standby)
    return {
      found: `commits wait for the synchronous standby (synchronous_standby_names = "${standby.names}"): ${plural(standby.waiting, 'session', 'sessions')}, for ${Math.round(standby.seconds)} s`,
      todo: 'Start the standby again, or take it out of synchronous_standby_names and run "select pg_reload_conf()" in psql. Until then nothing is saved, and running workers look stopped.',
    };
  const [first] = locks;
  if (!first) return null;
  const holders = locks.map((one) => `${lockText(one)}: ${sessionText(one)}`).join('; ');
  return {
    found: `${plural(first.waiting, 'session waits', 'sessions wait')} for a lock. ${holders}`,
    todo: `End that transaction in its session, or with "select pg_terminate_backend(${first.pid})" in psql.`,
  };
}

/** The same for everybody: without names of programs, users and servers. */
export function publicWaitsText({ standby, locks }: DatabaseWaits): string | null {
  if (standby)
    return 'Commits wait for a synchronous standby that does not confirm them. Start it again, or take it out of synchronous_standby_names.';
  const [first] = locks;
  if (!first) return null;
  return `${plural(first.waiting, 'database session waits', 'database sessions wait')} for a lock. ${lockText(first)}: the session with PID ${first.pid}. "cli doctor" says whose it is.`;
}

const lockText = ({ table }: LockHolder): string =>
  table === null ? 'Rows are locked' : `The table ${table} is locked`;
