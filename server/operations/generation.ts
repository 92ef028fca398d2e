import fs from 'node:fs';
import path from 'node:path';
import { newId } from '#server/core/id.ts';
import { inUtc } from '#server/core/new-contacts.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { deleteFact, findFact, lockFact, putFact, putFactOnce } from '#server/platform/db/facts.ts';
import { SettingsError } from '#server/settings.ts';

/**
 * The generation of an installation that a database or a data directory belongs to. A restore begins a new one and
 * names those that it continues.
 */
export interface Generation {
  id: string;
  /** Those that it continues, newest first. */
  before: string[];
}

/** The names of the facts. */
export const GENERATION = 'generation';
export const MOVED = 'moved';

/** The generation of a database; the first process creates it. */
export function generationOf({ database }: InstallationContext): Promise<Generation> {
  return database.db.transaction(async (tx) => {
    await putFactOnce(tx, { key: GENERATION, value: nextGeneration([]) });
    const stored = parseGeneration(await lockFact(tx, { key: GENERATION }));
    if (!stored) throw new Error('the generation of the database is empty');
    return stored;
  });
}

/** A new generation that continues these, as its fact's value. */
export function nextGeneration(continued: readonly (Generation | null)[]): string {
  const before = new Set(continued.flatMap((one) => (one ? [one.id, ...one.before] : [])));
  return [newId('generation'), ...before].join('\n');
}

export function parseGeneration(text: string | null): Generation | null {
  const [id, ...before] = (text ?? '').trim().split('\n');
  return id ? { id, before } : null;
}

const markOf = (dataDir: string) => path.join(dataDir, 'generation');

/** The generation that a data directory was last started with; null if it was never written. */
export function generationOfDataDir(dataDir: string): Generation | null {
  try {
    return parseGeneration(fs.readFileSync(markOf(dataDir), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function markDataDir(dataDir: string, { id, before }: Generation): void {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const fresh = `${markOf(dataDir)}.${process.pid}.new`;
  fs.writeFileSync(fresh, `${[id, ...before].join('\n')}\n`, { mode: 0o600, flush: true });
  fs.renameSync(fresh, markOf(dataDir));
}

/**
 * Allows a data directory only under its own database. After a restore its profiles are quarantined, because
 * they are newer than the database.
 *
 * @throws SettingsError when the directory is another installation's, or newer than the database.
 */
export async function requireOwnDataDir({ database }: InstallationContext, dataDir: string): Promise<void> {
  const ours = await generationOf({ database });
  const its = generationOfDataDir(dataDir);
  if (its?.id === ours.id) return;
  if (its?.before.includes(ours.id))
    throw new SettingsError(
      `${dataDir} was last used with a database that was restored from a backup of this one. This database is the older one. Set DATABASE_URL to the restored database. To use the older database anyway, without the sessions in ${dataDir}, run "cli data-dir accept".`,
    );
  if (its && !ours.before.includes(its.id))
    throw new SettingsError(
      `${dataDir} belongs to another installation. Correct DATA_DIR or DATABASE_URL. To use it here without its sessions, run "cli data-dir accept".`,
    );
  acceptDataDir(dataDir, ours);
}

/** Assigns a data directory to this generation, quarantines profiles of another one, and returns where they are. */
export function acceptDataDir(dataDir: string, ours: Generation): string | null {
  const its = generationOfDataDir(dataDir);
  const quarantine = its && its.id !== ours.id ? quarantineProfiles(dataDir, its.id) : null;
  markDataDir(dataDir, ours);
  return quarantine;
}

/** These profiles must never be used again: an older or second copy of a session would reuse message keys. */
function quarantineProfiles(dataDir: string, generation: string): string | null {
  const profiles = path.join(dataDir, 'profiles');
  if (!fs.existsSync(profiles)) return null;
  let to = `${profiles}.${generation}`;
  if (fs.existsSync(to)) to = `${to}.${Date.now()}`;
  try {
    fs.renameSync(profiles, to);
  } catch (cause) {
    throw new SettingsError(
      `${profiles} holds sessions from before a restore, which must not be used, and it cannot be renamed (${(cause as NodeJS.ErrnoException).code}). Delete or move its contents, then start again.`,
    );
  }
  return to;
}

/** When the installation was moved away with `backup --move`, as text; null when it was not. */
export function movedAt({ database }: InstallationContext): Promise<string | null> {
  return findFact(database.db, { key: MOVED });
}

/** Marks an installation as moved: no worker claims a number, and no start succeeds. */
export async function markMoved({ database }: InstallationContext): Promise<void> {
  await putFact(database.db, { key: MOVED, value: new Date().toISOString() });
}

/** Removes the mark. */
export async function unmarkMoved({ database }: InstallationContext): Promise<void> {
  await deleteFact(database.db, { key: MOVED });
}

/**
 * Refuses the start of an installation that was moved, because the restored one sends now.
 *
 * @throws SettingsError that says how to undo it on purpose.
 */
export async function requireNotMoved({ database }: InstallationContext): Promise<void> {
  const at = await movedAt({ database });
  if (at === null) return;
  throw new SettingsError(
    `This installation was moved on ${inUtc(new Date(at), { seconds: true })} ("cli backup --move"), so it does not start. To continue the move, do nothing here: run "cli restore" on the new machine. Only to give the move up, and only if the new installation was never started, run "cli move undo". If both run, messages can arrive twice.`,
  );
}
