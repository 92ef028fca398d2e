import { sessionText } from '#server/operations/database-waits-text.ts';
import { findSearchWait, waitsTooLong } from '#server/operations/queries/search-wait.ts';
import type { Database } from '#server/platform/db/client.ts';
import { type Finding, wrong } from './findings.ts';

/** If messages have not come into the index of the search for long. */
export async function findSearchProblem(database: Database): Promise<Finding[]> {
  const wait = await findSearchWait(database);
  if (!waitsTooLong(wait)) return [];
  const found = `no message came into the index for ${Math.floor(wait.seconds / 60)} minutes, so searches are slower`;
  if (wait.writers.length === 0)
    return [wrong('search', found, 'Search the workers’ logs for “indexed for the search”.')];
  const open = wait.writers.map(sessionText).join('; ');
  const todo = `A transaction that has written messages is still open: ${open}. End it in that session, or with "select pg_terminate_backend(PID)" in psql.`;
  return [wrong('search', found, todo)];
}
