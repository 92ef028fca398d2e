import path from 'node:path';
import { settings } from '#server/settings.ts';

/** What the product stores on a disk of this machine. */
export const DISK_USES = ['profiles', 'media', 'logs', 'database'] as const;
export type DiskUse = (typeof DISK_USES)[number];

export type Places = Partial<Record<DiskUse, string>>;

/**
 * The path of each use. A database that `DATABASE_URL` names stores its files elsewhere, perhaps on another
 * machine.
 */
export function placesOf({
  dataDir,
  databaseUrl,
}: Pick<typeof settings, 'dataDir' | 'databaseUrl'> = settings): Places {
  return {
    profiles: path.join(dataDir, 'profiles'),
    media: path.join(dataDir, 'media'),
    logs: path.join(dataDir, 'logs'),
    ...(databaseUrl === undefined && { database: path.join(dataDir, 'postgres', 'data') }),
  };
}
