import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * How many times a profile was acquired, as stored in the profile itself. `pending`: it was being acquired, and no
 * browser has started from it yet.
 */
export interface GenerationMark {
  generation: number;
  pending: boolean;
}

const fileOf = (profileDir: string) => path.join(profileDir, 'generation');

/** Null if the profile has none. */
export async function readMark(profileDir: string): Promise<GenerationMark | null> {
  const text = await fs.readFile(fileOf(profileDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [, generation, pending] = /^(\d+)( pending)?\n$/.exec(text) ?? [];
  return generation === undefined ? null : { generation: Number(generation), pending: pending !== undefined };
}

/** Replaces the mark. It is on disk when this resolves. */
export async function writeMark(profileDir: string, { generation, pending }: GenerationMark): Promise<void> {
  const fresh = `${fileOf(profileDir)}.new`;
  await fs.writeFile(fresh, `${generation}${pending ? ' pending' : ''}\n`, { mode: 0o600, flush: true });
  await fs.rename(fresh, fileOf(profileDir));
  // Windows opens no directories.
  if (process.platform === 'win32') return;
  const directory = await fs.open(profileDir);
  await directory.sync().finally(() => directory.close());
}
