import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { childEnvironment } from '#server/settings.ts';
import { nodePath } from './process/node.ts';
import { makeSecret, storedSecret } from './secrets.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-secrets-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

const script = `
  import { makeSecrets, secret } from ${JSON.stringify(path.join(import.meta.dirname, 'secrets.ts'))};
  try { if (process.argv[1] !== 'ask') makeSecrets(); console.log(secret('keyPepper')); } catch (error) { console.log(error.message); }`;

/** The `keyPepper` that a process with these settings gets. */
async function inProcess(
  environment: Record<string, string | undefined>,
  ...args: string[]
): Promise<string> {
  const child = spawn(nodePath, ['--input-type=module-typescript', '-e', script, ...args], {
    env: childEnvironment({ KEY_PEPPER: undefined, WIREBIRD_ENV: undefined, ...environment }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return out.trim();
}

test('each secret is created once with its own value, readable only by its owner', () => {
  const dir = path.join(place, 'once');
  for (const name of ['keyPepper', 'authSecret', 'keyPepper'] as const) makeSecret(dir, name);
  const first = storedSecret(dir, 'keyPepper');
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  makeSecret(dir, 'keyPepper');
  expect(storedSecret(dir, 'keyPepper')).toBe(first);
  expect(storedSecret(dir, 'authSecret')).not.toBe(first);
  expect(fs.statSync(path.join(dir, 'keyPepper')).mode & 0o777).toBe(0o600);
  expect(fs.statSync(dir).mode & 0o777).toBe(0o700);
  expect(fs.readdirSync(dir).sort()).toEqual(['authSecret', 'keyPepper']);
});

test('processes that create it at the same moment agree on one', async () => {
  const settings = { DATA_DIR: path.join(place, 'together') };
  const all = await Promise.all(Array.from({ length: 4 }, () => inProcess(settings)));
  expect(new Set(all).size).toBe(1);
  expect(all[0]).toMatch(/^[0-9a-f]{64}$/);
});

test('a setting is used as is, and nothing is stored', async () => {
  const dir = path.join(place, 'given');
  const given = 'a pepper of at least thirty-two characters';
  expect(await inProcess({ DATA_DIR: dir, KEY_PEPPER: given })).toBe(given);
  expect(fs.existsSync(dir)).toBe(false);
});

test('a process that only reads a missing secret creates none: data may need the earlier one', async () => {
  const dir = path.join(place, 'asked');
  expect(await inProcess({ DATA_DIR: dir }, 'ask')).toMatch(/keyPepper is missing\. Restore it .+KEY_PEPPER/);
  expect(fs.existsSync(dir)).toBe(false);
});

test('in production a missing one is refused with the command that generates it', async () => {
  const dir = path.join(place, 'production');
  const said = await inProcess({ DATA_DIR: dir, WIREBIRD_ENV: 'production' });
  expect(said).toMatch(/^\w+ is not set, .+"openssl rand -hex 32"/);
  expect(fs.existsSync(dir)).toBe(false);
});

test('in production WIREBIRD_SECRETS=generate makes them once, and later starts need it too', async () => {
  const settings = { DATA_DIR: path.join(place, 'generated'), WIREBIRD_ENV: 'production' };
  const made = await inProcess({ ...settings, WIREBIRD_SECRETS: 'generate' });
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(await inProcess({ ...settings, WIREBIRD_SECRETS: 'generate' })).toBe(made);
  expect(await inProcess(settings, 'ask')).toContain('WIREBIRD_SECRETS=generate');
});

test('a damaged file is refused, not replaced: replacing it would invalidate every key', () => {
  const dir = path.join(place, 'damaged');
  makeSecret(dir, 'keyPepper');
  fs.writeFileSync(path.join(dir, 'keyPepper'), 'half');
  makeSecret(dir, 'keyPepper');
  expect(() => storedSecret(dir, 'keyPepper')).toThrow(/keyPepper is damaged\. Restore it .+KEY_PEPPER/);
});
