import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * How often a profile was taken up, as the profile itself says. `pending`: it was about to be, and no browser
 * had started from it yet.
 */
export interface Mark {
  generation: number;
  pending: boolean;
}

const fileOf = (profileDir: string) => path.join(profileDir, 'generation');

/** Null when the profile has none. */
export async function readMark(profileDir: string): Promise<Mark | null> {
  const text = await fs.readFile(fileOf(profileDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [, generation, pending] = /^(\d+)( pending)?\n$/.exec(text) ?? [];
  return generation === undefined ? null : { generation: Number(generation), pending: pending !== undefined };
}

/** Replaces the mark; it is on disk when this resolves. */
export async function writeMark(profileDir: string, { generation, pending }: Mark): Promise<void> {
  const fresh = `${fileOf(profileDir)}.new`;
  await fs.writeFile(fresh, `${generation}${pending ? ' pending' : ''}\n`, { mode: 0o600, flush: true });
  await fs.rename(fresh, fileOf(profileDir));
}
