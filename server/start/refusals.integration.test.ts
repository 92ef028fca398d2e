import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../db/testing.ts';
import { nodePath } from '../process/node.ts';
import { markMoved } from '../services/generation.ts';
import { childEnvironment } from '../settings.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-refusals-'));
const busy = net.createServer();
let busyPort = 0;

beforeAll(async () => {
  busy.listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  busyPort = (busy.address() as net.AddressInfo).port;
});
afterAll(() => {
  busy.close();
  fs.rmSync(place, { recursive: true, force: true });
});

let runs = 0;
/** Runs `npm start`'s program with these settings until it ends. */
async function start(settings: Record<string, string>, ...args: string[]) {
  const dataDir = path.join(place, String(++runs));
  const child = spawn(nodePath, [path.join(import.meta.dirname, 'main.ts'), ...args], {
    env: childEnvironment({ DATABASE_URL: undefined, PORT: '0', DATA_DIR: dataDir, ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, errors, dataDir };
}

/** It ended with one line that says `line`, and left nothing that would hinder the next start. */
function expectRefusal(run: Awaited<ReturnType<typeof start>>, line: RegExp) {
  expect(run.errors).toMatch(line);
  expect(run.errors.trimEnd().split('\n')).toHaveLength(1);
  expect(run.code).toBe(1);
  expect(fs.existsSync(path.join(run.dataDir, 'start.lock'))).toBe(false);
  const server = path.join(run.dataDir, 'postgres', 'data', 'postmaster.pid');
  expect(fs.existsSync(server)).toBe(false);
}

test('a wrong setting is one line that names it and the remedy', async () => {
  expectRefusal(
    await start({ PORT: 'http' }),
    /^PORT is "http": .+ Correct it or leave it out for the default\.$/m,
  );
});

test('a data directory that cannot be written to is one line', async () => {
  const file = path.join(place, 'file');
  fs.writeFileSync(file, '');
  expectRefusal(
    await start({ DATA_DIR: path.join(file, 'data') }),
    /^DATA_DIR is .+, which cannot be written to \(ENOTDIR\): correct .+ or set DATA_DIR to another directory\.$/m,
  );
});

test('a busy port is one line', async () => {
  expectRefusal(
    await start({ PORT: String(busyPort) }),
    new RegExp(`^Port ${busyPort} on 127.0.0.1 is in use: stop the program that uses it, or set PORT`),
  );
});

test('a database that cannot be reached is one line, without its password', async () => {
  const closed = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => closed.once('listening', resolve));
  const { port } = closed.address() as net.AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const run = await start({ DATABASE_URL: `postgres://someone:confidential@127.0.0.1:${port}/wirebird` });
  expectRefusal(
    run,
    new RegExp(
      `^DATABASE_URL names 127.0.0.1:${port}/wirebird, which cannot be reached \\(.*ECONNREFUSED.*\\): start`,
    ),
  );
  expect(run.errors).not.toContain('confidential');
});

test('a missing secret in production is one line with the command that makes one', async () => {
  expectRefusal(
    await start({ WIREBIRD_ENV: 'production', AUTH_SECRET: '', KEY_PEPPER: '' }),
    /^AUTH_SECRET is not set, .+"openssl rand -hex 32"/,
  );
});

test('an installation that was moved away does not start, and says how to undo that', async () => {
  const database = await createTestDatabase();
  await markMoved(database);
  expectRefusal(
    await start({ DATABASE_URL: database.url }),
    /^This installation was moved at \S+ \("backup --move"\), so it does not start: .* run "npm run -s cli -- move undo"\.$/m,
  );
  await database.drop();
});

test('a data directory of another installation is one line, and its sessions are left alone', async () => {
  const database = await createTestDatabase();
  const dataDir = path.join(place, 'foreign');
  fs.mkdirSync(path.join(dataDir, 'profiles', 'num_a'), { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'generation'), 'gen_of_another\n');
  const run = await start({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  expectRefusal(
    run,
    /belongs to another installation than this database\. Correct DATA_DIR or DATABASE_URL; /,
  );
  expect(fs.readdirSync(path.join(dataDir, 'profiles'))).toEqual(['num_a']);
  await database.drop();
});

test('an option that does not exist is one line', async () => {
  expectRefusal(await start({}, '--prod'), /^Unknown option '--prod'/);
});
