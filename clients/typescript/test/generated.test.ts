import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const HERE = path.join(import.meta.dirname, '..');

test('the generated code is up to date (npm run clients:generate updates it)', () => {
  const fresh = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-generated-'));
  try {
    execFileSync(process.execPath, [path.join(HERE, 'generate.ts'), fresh]);
    expect(filesIn(path.join(HERE, 'src/generated'))).toEqual(filesIn(fresh));
  } finally {
    fs.rmSync(fresh, { recursive: true });
  }
});

function filesIn(folder: string): Record<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => name.endsWith('.ts'));
  return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]));
}
