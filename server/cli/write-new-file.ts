import { open, rm } from 'node:fs/promises';

/**
 * Writes a new file that only its owner may read. Refuses an existing file. If it cannot be completed, removes it, so
 * that nobody takes a part of it for all.
 */
export async function writeNewFile(file: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const part of parts) await handle.writeFile(part);
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
