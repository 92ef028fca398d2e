import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markMoved } from '#server/operations/generation.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { expectRefusal, tryStart } from '#server/testing/start.ts';

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
/** Tries to start with these settings, on a new data directory. */
const start = (settings: Record<string, string>, ...args: string[]) =>
  tryStart({ DATABASE_URL: undefined, DATA_DIR: path.join(place, String(++runs)), ...settings }, ...args);

test('a wrong setting is one line with its name and the remedy', async () => {
  expectRefusal(
    await start({ PORT: 'http' }),
    /^PORT is "http": .+ Correct it, or remove it to use the default\.$/m,
  );
});

test('a data directory that cannot be written to is one line', async () => {
  const file = path.join(place, 'file');
  fs.writeFileSync(file, '');
  expectRefusal(
    await start({ DATA_DIR: path.join(file, 'data') }),
    /^DATA_DIR .+ is not writable \(ENOTDIR\)\. Correct .+ or set DATA_DIR to another directory\.$/m,
  );
});

test('an unexpected error is one line, which names the log with the details', async () => {
  const dataDir = path.join(place, 'unexpected');
  fs.mkdirSync(path.join(dataDir, 'secrets', 'authSecret'), { recursive: true });
  const run = await start({ DATA_DIR: dataDir, AUTH_SECRET: '' });
  const file = path.join(dataDir, 'logs', 'start.log');
  expectRefusal(
    run,
    /^Wirebird ended because of an unexpected error \(EISDIR: illegal operation on a directory, read\)\. /,
  );
  expect(run.errors).toContain(`Read ${file}.`);
  expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({
    level: 'fatal',
    err: { code: 'EISDIR', stack: expect.stringContaining('secrets.ts') },
  });
});

test('a busy port is one line', async () => {
  expectRefusal(
    await start({ PORT: String(busyPort) }),
    new RegExp(`^Port ${busyPort} on 127.0.0.1 is in use\\. Stop the program that uses it, or set PORT`),
  );
});

test('a busy METRICS_PORT, or the port after it, is one line with the setting', async () => {
  const sentence = (port: number | string) =>
    new RegExp(`^Port ${port} on 127.0.0.1 is in use\\. .+ or set METRICS_PORT to another`);
  expectRefusal(await start({ METRICS_PORT: String(busyPort) }), sentence(busyPort));
  // Another program may use the port before it.
  expectRefusal(
    await start({ METRICS_PORT: String(busyPort - 1) }),
    sentence(`(${busyPort - 1}|${busyPort})`),
  );
  const worker = { DATABASE_URL: 'postgres://127.0.0.1:1/none', METRICS_PORT: String(busyPort) };
  expectRefusal(await start(worker, '--only', 'worker'), sentence(busyPort));
});

test('the busy port of a separate web process is one line too', async () => {
  const web = { DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: String(busyPort) };
  expectRefusal(
    await start(web, '--only', 'web'),
    new RegExp(`^Port ${busyPort} on 127.0.0.1 is in use\\. .+ set PORT`),
  );
});

test('a misspelt setting is reported with a suggestion, next to other errors', async () => {
  const run = await start({ SMPT_URL: 'smtp://mail.example', PORT: String(busyPort) });
  expect(run.errors).toMatch(/warn: SMPT_URL is not a setting and is ignored\. Did you mean SMTP_URL\?\n/);
  expect(run.errors).not.toContain('mail.example');
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
      `^Database 127.0.0.1:${port}/wirebird \\(DATABASE_URL\\) cannot be reached \\(.*ECONNREFUSED.*\\)\\. Start`,
    ),
  );
  expect(run.errors).not.toContain('confidential');
});

describe('a given database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The same server, another database or role. */
  function url(change: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string {
    return Object.assign(new URL(database.url), change).href;
  }
  const name = () => new URL(database.url).pathname.slice(1);
  const expectNoStack = (run: { errors: string }) => expect(run.errors).not.toMatch(/\n? +at /);

  test('whose role may not create tables is refused with what to grant', async () => {
    const role = `poor_${name()}`;
    await database.sql.unsafe(`create role ${role} login password 'confidential'`);
    await database.sql.unsafe(`create database ${role} template template0`);
    const run = await start({
      DATABASE_URL: url({ username: role, password: 'confidential', pathname: `/${role}` }),
    });
    expectRefusal(
      run,
      new RegExp(`: "${role}" lacks privileges \\(permission denied for database .+\\)\\. Make it the owner`),
    );
    expectNoStack(run);
    await database.sql.unsafe(`drop database ${role} with (force)`);
    await database.sql.unsafe(`drop role ${role}`);
    const wrong = await start({ DATABASE_URL: url({ username: role, password: 'confidential' }) });
    expectRefusal(
      wrong,
      new RegExp(`rejects the user "${role}" .+\\. Correct the user or password in DATABASE_URL`),
    );
    expect(wrong.errors).not.toContain('confidential');
  });

  test('that is missing or not UTF8 is refused with the command that creates one', async () => {
    expectRefusal(
      await start({ DATABASE_URL: url({ pathname: '/nowhere' }) }),
      /does not exist\. Create it with "createdb -E UTF8/,
    );
    const latin = `latin_${name()}`;
    await database.sql.unsafe(
      `create database ${latin} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    );
    expectRefusal(
      await start({ DATABASE_URL: url({ pathname: `/${latin}` }) }),
      /has the encoding SQL_ASCII\. Messages need UTF8\. Create the database with "createdb -E UTF8/,
    );
    await database.sql.unsafe(`drop database ${latin} with (force)`);
  });

  test('that a newer version has changed is refused and left unchanged', async () => {
    await database.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`;
    const sentence = /^A newer version of Wirebird has been started on this database.+restore a backup/;
    expectRefusal(await start({ DATABASE_URL: database.url }), sentence);
    const part = await start({ DATABASE_URL: database.url }, '--only', 'worker');
    expectRefusal(part, sentence);
    await database.sql`delete from drizzle.__drizzle_migrations where hash = 'newer'`;
  });

  test('that offers no TLS is refused if sslmode requires it', async () => {
    const run = await start({ DATABASE_URL: `${database.url}?sslmode=prefer` }, '--only', 'worker');
    expectRefusal(
      run,
      /offers no TLS, and sslmode in DATABASE_URL requires it\. .+ or set sslmode=disable\./,
    );
  });

  test('that is read-only is refused with what to change', async () => {
    await database.sql.unsafe(`alter database ${name()} set default_transaction_read_only = on`);
    const run = await start({ DATABASE_URL: database.url }, '--only', 'worker');
    expectRefusal(
      run,
      /is read-only \(.+\)\. Set DATABASE_URL to the primary server, or switch off default_/,
    );
    expectNoStack(run);
    await database.sql.unsafe(`alter database ${name()} reset default_transaction_read_only`);
  });

  test('whose migration fails unexpectedly is refused in one line, which names the log with the details', async () => {
    const other = await createTestDatabase({ empty: true });
    await other.sql.unsafe('create table accounts (id int)');
    const dataDir = path.join(place, 'migration-fails');
    const run = await start({ DATABASE_URL: other.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
    const file = path.join(dataDir, 'logs', 'start.log');
    expectRefusal(
      run,
      /^The database could not be brought up to date \(relation .+ already exists\)\. Read .+/m,
    );
    expect(run.errors).toContain(`Read ${file}.`);
    expectNoStack(run);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({
      level: 'fatal',
      err: { code: '42P07', stack: expect.stringContaining('at ') },
    });
    await other.drop();
  });

  test('that is empty next to profiles of linked numbers does not count as new', async () => {
    const empty = await createTestDatabase({ empty: true });
    const dataDir = path.join(place, 'with-profiles');
    fs.mkdirSync(path.join(dataDir, 'profiles', 'num_1'), { recursive: true });
    const run = await start({ DATABASE_URL: empty.url, DATA_DIR: dataDir });
    expectRefusal(
      run,
      /is empty, but .+profiles holds numbers of an earlier installation\. Correct DATABASE_URL/,
    );
    expect(run.output).not.toContain('setup?token=');
    expect(await empty.sql`select nspname from pg_namespace where nspname = 'drizzle'`).toEqual([]);
    await empty.drop();
  });
});

test('while a database does not answer, the start reports within seconds what it waits for', async () => {
  const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const { port } = silent.address() as net.AddressInfo;
  const run = await start({ DATABASE_URL: `postgres://someone:confidential@127.0.0.1:${port}/wirebird` });
  silent.close();
  expect(run.output).toMatch(
    new RegExp(
      `Database 127.0.0.1:${port}/wirebird \\(DATABASE_URL\\) has not answered yet; still waiting +\\d+\\.\\d s`,
    ),
  );
  expectRefusal(run, /cannot be reached \(.+\)\. Start it/);
});

test('a missing secret in production gives one line with the command that generates it', async () => {
  expectRefusal(
    await start({ WIREBIRD_ENV: 'production', AUTH_SECRET: '', KEY_PEPPER: '' }),
    /^AUTH_SECRET is not set, .+"openssl rand -hex 32"/,
  );
});

test('a moved installation does not start, and says how to undo the move', async () => {
  const database = await createTestDatabase();
  await markMoved({ database });
  expectRefusal(
    await start({ DATABASE_URL: database.url }),
    /^This installation was moved on .+ UTC \("cli backup --move"\), so it does not start\. To continue the move, do nothing here: .* run "cli move undo"\. .*$/m,
  );
  await database.drop();
});

test('a data directory of another installation is one line, and its sessions stay untouched', async () => {
  const database = await createTestDatabase();
  const dataDir = path.join(place, 'foreign');
  fs.mkdirSync(path.join(dataDir, 'profiles', 'num_a'), { recursive: true });
  fs.writeFileSync(path.join(dataDir, 'generation'), 'gen_of_another\n');
  const run = await start({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  expectRefusal(run, /belongs to another installation\. Correct DATA_DIR or DATABASE_URL\. /);
  expect(fs.readdirSync(path.join(dataDir, 'profiles'))).toEqual(['num_a']);
  await database.drop();
});

test('an option that does not exist is one line', async () => {
  expectRefusal(await start({}, '--prod'), /^Unknown option '--prod'/);
});
