import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashSources } from './sources.ts';

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
