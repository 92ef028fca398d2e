import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { writeBody } from './write-body.ts';

test('a file is on the disk before it gets its name, so a power failure leaves no empty one', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'wirebird-write-'));
  const probe = await open(directory);
  const syncs = vi.spyOn(Object.getPrototypeOf(probe), 'sync');
  const seen: number[] = [];
  syncs.mockImplementationOnce(async function (this: typeof probe) {
    seen.push((await this.stat()).size);
    await this.datasync();
  });
  try {
    const body = async function* () {
      yield Buffer.from('12');
      yield Buffer.from('34');
    };
    const { keep } = await writeBody(body(), path.join(directory, 'file'));
    expect(seen).toEqual([4]);
    expect(await readdir(directory)).not.toContain('file');
    await keep();
    expect((await stat(path.join(directory, 'file'))).size).toBe(4);
  } finally {
    syncs.mockRestore();
    await probe.close();
    await rm(directory, { recursive: true });
  }
});
