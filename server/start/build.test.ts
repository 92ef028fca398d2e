import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ensureBuild, hashSources } from './build.ts';
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

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-sources-'));
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string) {
  fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
}

write('app/page.tsx', 'page');
write('server/settings.ts', 'settings');
write('package-lock.json', 'locked');
write('worker/main.ts', 'worker');

test.each(['app/page.tsx', 'server/settings.ts', 'package-lock.json', 'proxy.ts', 'app/new/page.tsx'])(
  'a change of %s asks for a new build, and undoing it does not',
  (file) => {
    const before = fs.existsSync(path.join(root, file))
      ? fs.readFileSync(path.join(root, file), 'utf8')
      : null;
    const hash = hashSources(root);
    expect(hashSources(root)).toBe(hash);
    write(file, 'changed');
    expect(hashSources(root)).not.toBe(hash);
    if (before === null) fs.rmSync(path.join(root, file));
    else write(file, before);
    expect(hashSources(root)).toBe(hash);
  },
);

test.each(['worker/main.ts', 'server/settings.test.ts', 'README.md', '.next/BUILD_ID'])(
  'a change of %s does not',
  (file) => {
    const hash = hashSources(root);
    write(file, 'changed');
    expect(hashSources(root)).toBe(hash);
  },
);

test('a moved file counts as a change, even with the same content', () => {
  const hash = hashSources(root);
  fs.renameSync(path.join(root, 'app/page.tsx'), path.join(root, 'app/other.tsx'));
  expect(hashSources(root)).not.toBe(hash);
});
