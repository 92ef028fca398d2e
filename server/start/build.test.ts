import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ensureBuild } from './build.ts';
import { StartError } from './start-error.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-build-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

/** A checkout whose compiler is this script. */
function checkout(name: string, script: string): string {
  const root = path.join(place, name);
  const next = path.join(root, 'node_modules/next/dist/bin/next');
  fs.mkdirSync(path.dirname(next), { recursive: true });
  fs.writeFileSync(next, script);
  return root;
}

test('a build killed by the system reports that memory ran out, and a failed one reports the compiler’s output', async () => {
  const { signal } = new AbortController();
  const killed = ensureBuild(checkout('killed', "process.kill(process.pid, 'SIGKILL')"), signal);
  await expect(killed).rejects.toThrow(StartError);
  await expect(killed).rejects.toThrow(/was killed, probably because memory ran out\. .+"npm run build"/);
  const failed = ensureBuild(checkout('failed', "console.log('no such page'); process.exitCode = 1"), signal);
  await expect(failed).rejects.toThrow('The dashboard’s production build failed:\nno such page');
});
