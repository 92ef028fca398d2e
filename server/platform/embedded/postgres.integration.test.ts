import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isRunning, pidOf, processIdentity } from '#server/platform/process/identity.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { type OtherProcess, startOtherProcess } from '#server/testing/embedded.ts';
import { countClients } from './clients.ts';
import { homeAt } from './home.ts';
import { type EmbeddedPostgres, ensurePostgres } from './postgres.ts';

// Readable only by its owner, like root's home directory: the server's account may not enter it.
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-embedded-'));
const dir = path.join(place, 'postgres');
const home = homeAt(dir);

const handles: (EmbeddedPostgres | OtherProcess)[] = [];
const ours = async (port = 0) => keep(await ensurePostgres(dir, { port }));
const another = async () => keep(await startOtherProcess(dir));
function keep<T extends EmbeddedPostgres | OtherProcess>(handle: T): T {
  handles.push(handle);
  return handle;
}

beforeAll(async () => {
  const server = await ours();
  await query(server.url, 'create table kept (value text)');
  await server.release();
});

afterEach(async () => {
  for (const handle of handles.splice(0)) {
    if ('kill' in handle) await handle.kill();
    else await handle.release();
  }
  await nothingLeft();
});

afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

async function query(url: string, statement: string) {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

const keeperIdentity = () => fs.readFileSync(home.keeper, 'utf8');

/** Waits until nothing of the server is left: no process, pid file, lock or registration. */
const nothingLeft = () =>
  vi.waitFor(
    () => {
      expect(fs.existsSync(path.join(home.data, 'postmaster.pid'))).toBe(false);
      expect(fs.existsSync(home.keeper)).toBe(false);
      expect(fs.existsSync(home.lock)).toBe(false);
      expect(fs.readdirSync(home.clients)).toEqual([]);
    },
    { timeout: 30_000, interval: 20 },
  );

async function killNow(pid: number) {
  const identity = processIdentity(pid) ?? '';
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(isRunning(identity)).toBe(false), { timeout: 20_000, interval: 5 });
}

test('processes that ask for one directory share one server, and the last to leave stops it', async () => {
  const first = await ours();
  const server = processIdentity(first.pid) ?? '';
  const keeper = keeperIdentity();
  const second = await another();
  expect([first.started, second.started]).toEqual([true, false]);
  expect(second.url).toBe(first.url);
  await first.release();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.release();
  expect(isRunning(server)).toBe(false);
  expect(isRunning(keeper)).toBe(false);
  await nothingLeft();
});

test('a process that acquires the server twice must release it twice', async () => {
  const first = await ours();
  const second = await ours();
  await first.release();
  await first.release();
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('when processes start at the same moment, one starts the server and all use it', async () => {
  const all = await Promise.all([another(), another(), another(), ours()]);
  expect(all.filter((one) => one.started)).toHaveLength(1);
  expect(new Set(all.map((one) => one.url)).size).toBe(1);
});

test('committed data survives a stop and a start, at the same address', async () => {
  const before = await ours();
  await query(before.url, "insert into kept values ('stopped')");
  await before.release();
  const after = keep(await ensurePostgres(dir));
  expect(after.url).toBe(before.url);
  expect(await query(after.url, "select value from kept where value = 'stopped'")).toEqual([
    { value: 'stopped' },
  ]);
});

test('processes killed with -9 do not keep the server: it ends automatically', async () => {
  const [one, two] = [await another(), await another()];
  const server = processIdentity(one.serverPid) ?? '';
  const keeper = keeperIdentity();
  await Promise.all([one.kill(), two.kill()]);
  await vi.waitFor(() => expect(isRunning(server) || isRunning(keeper)).toBe(false), { timeout: 30_000 });
  await nothingLeft();
});

test('a process that shares the server keeps it after its starter was killed', async () => {
  const sharer = await another();
  const child = spawn(nodePath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  await sharer.share(child.pid ?? 0);
  const server = processIdentity(sharer.serverPid) ?? '';
  await sharer.kill();
  expect(countClients(home)).toBe(1);
  expect(await query(sharer.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  child.stdin.end();
  await vi.waitFor(() => expect(isRunning(server)).toBe(false), { timeout: 30_000 });
});

test.each([
  ['released', (last: OtherProcess) => last.release()],
  ['killed', (last: OtherProcess) => last.kill()],
])('the server ends after its last user was %s, also when the disk takes no lock file', async (_, leave) => {
  const last = await another();
  const [server, keeper] = [processIdentity(last.serverPid) ?? '', keeperIdentity()];
  // They can write no byte to a file, as on a full disk.
  for (const pid of [last.pid, pidOf(keeper)]) execFileSync('prlimit', ['--pid', String(pid), '--fsize=0']);
  await leave(last);
  await vi.waitFor(() => expect([server, keeper].filter(isRunning)).toEqual([]), { timeout: 30_000 });
  await nothingLeft();
});

test('a process joins a running server also when the disk takes no lock file, but starts none', async () => {
  const script = `
    import { ensurePostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'postgres.ts'))};
    const server = await ensurePostgres(${JSON.stringify(dir)}).catch(({ message }) => console.log(message));
    if (server) console.log(server.started);
    await server?.release();`;
  const shell = 'ulimit -f 0; exec "$0" --input-type=module-typescript -e "$1"';
  const join = () => spawnSync('/bin/sh', ['-c', shell, nodePath, script], { encoding: 'utf8' }).stdout;
  expect(join()).toBe(`The disk that holds ${dir} is full: make room there, then try again.\n`);
  const first = await another();
  expect(join()).toBe('false\n');
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a server killed with -9 comes back at its address with the committed data', async () => {
  const server = await ours();
  await query(server.url, "insert into kept values ('killed')");
  await killNow(server.pid);
  await vi.waitFor(
    async () =>
      expect(await query(server.url, "select value from kept where value = 'killed'")).toHaveLength(1),
    { timeout: 30_000, interval: 50 },
  );
});

test('after kill -9 of everything the next start recovers', async () => {
  const before = await another();
  await query(before.url, "insert into kept values ('lost power')");
  await killNow(pidOf(keeperIdentity()) ?? 0);
  await before.kill();
  await killNow(before.serverPid);
  const after = await ours();
  expect(after.started).toBe(true);
  expect(await query(after.url, "select value from kept where value = 'lost power'")).toHaveLength(1);
});

test('a server whose clients and keeper were killed is adopted by the next start, and stopped after it', async () => {
  const before = await another();
  await killNow(pidOf(keeperIdentity()) ?? 0);
  await before.kill();
  const after = await ours();
  expect(after.started).toBe(false);
  expect(after.pid).toBe(before.serverPid);
});

test('a pid file, a lock, a keeper and a client of dead processes do not count as alive', async () => {
  await (await ours()).release();
  // The pid is alive, but belongs to another process than the one that wrote the file.
  const recycled = `${process.pid}-1`;
  fs.writeFileSync(
    path.join(home.data, 'postmaster.pid'),
    `${process.pid}\n${home.data}\n1\n1\n\n\n\nready\n`,
  );
  for (const file of [home.lock, home.keeper, path.join(home.clients, `${recycled}.1`)]) {
    fs.writeFileSync(file, recycled);
  }
  const server = await ours();
  expect(server.started).toBe(true);
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.release();
  await nothingLeft();
});

test('a busy port is left alone, and another one is used', async () => {
  const busy = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => busy.once('listening', resolve));
  const { port } = busy.address() as net.AddressInfo;
  const server = await ours(port);
  expect(new URL(server.url).port).not.toBe(String(port));
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  busy.close();
});

test('the server listens on loopback only, without a socket file, and requires a password', async () => {
  const server = await ours();
  const [row] = await query(
    server.url,
    `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
            current_setting('server_encoding') as encoding, upper('ärger') as upper`,
  );
  expect(row).toEqual({ addresses: '127.0.0.1', sockets: '', encoding: 'UTF8', upper: 'ÄRGER' });
  const stranger = new URL(server.url);
  stranger.password = 'guessed';
  await expect(query(stranger.href, 'select 1')).rejects.toThrow(/password authentication failed/);
});

test('a cluster of another major version is refused in one line and left unchanged', async () => {
  const version = path.join(home.data, 'PG_VERSION');
  const real = fs.readFileSync(version, 'utf8');
  fs.writeFileSync(version, '12\n');
  await expect(ensurePostgres(dir)).rejects.toThrow(/was made by PostgreSQL 12 and this version brings \d+/);
  fs.writeFileSync(version, real);
});

test('a server whose directory is deleted ends automatically', async () => {
  const doomed = path.join(place, 'doomed');
  const server = await ensurePostgres(doomed, { port: 0 });
  const identity = processIdentity(server.pid) ?? '';
  fs.rmSync(doomed, { recursive: true, force: true });
  await server.release();
  await vi.waitFor(() => expect(isRunning(identity)).toBe(false), { timeout: 30_000, interval: 50 });
});
