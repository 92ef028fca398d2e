import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Installation, isStopped, kill, type Product, status } from '#server/testing/start.ts';

// As in `earlier-installation.integration.test.ts`.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const installation = new Installation();
afterAll(() => installation[Symbol.asyncDispose]());

describe('while it runs', () => {
  let product: Product;
  beforeAll(async () => {
    product = await installation.start();
  }, 300_000);

  const comesBack = () =>
    vi.waitFor(async () => expect(await status(product)).toBe(200), { timeout: 30_000, interval: 100 });

  test('it prints its address and the first step, and everything that a message needs is running', async () => {
    expect(product.output()).toMatch(/^ {2}http:\S+\/setup\?token=\S{20,}$/m);
    expect(await status(product)).toBe(200);
    expect(await status(product, '/v1/status')).toBe(401);
  });

  test('it warns that Chromium runs without its sandbox only as root', async () => {
    const warned = () => product.output().includes('Chromium runs without its sandbox');
    if (process.getuid?.() === 0) await vi.waitFor(() => expect(warned()).toBe(true));
    else expect(warned()).toBe(false);
  });

  test('a second start on the same data is refused and does not disturb the first', async () => {
    await expect(installation.start()).rejects.toThrow(
      `it ended with code 1: Wirebird is already running on ${installation.dataDir} (process ${product.pid}). Stop it, or set DATA_DIR to another directory.`,
    );
    expect(await status(product)).toBe(200);
  });

  test.each([
    ['a method without a meaning here', 'TRACE /v1/status HTTP/1.1\r\nHost: x\r\n', 401],
    [
      'a client that offers HTTP/2',
      'GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n',
      401,
    ],
    ['another spelling of /v1', 'GET //%76%31/status HTTP/1.1\r\nHost: x\r\n', 401],
    ['what is no HTTP', 'GET / HTTP/1.1\r\nno header\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(20_000)}\r\n`, 431],
  ])('%s is answered in the envelope', async (_what, head, expected) => {
    // Next starts to listen for upgrades with its first page.
    await fetch(product.address);
    const answer = await exchange(product.address, `${head}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `));
    expect(answer).toMatch(/^X-Request-Id: \S+\r$/im);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
      success: false,
      error: expect.stringMatching(/\.$/),
    });
  });

  test('Ctrl-Z suspends nothing: everything keeps running, and the output says so', async () => {
    const { processes } = installation;
    process.kill(product.pid, 'SIGTSTP');
    await vi.waitFor(() => expect(product.output()).toContain('Ctrl-Z does not pause Wirebird'));
    expect(processes.filter(isStopped)).toEqual([]);
    expect(await status(product)).toBe(200);
  });

  test.each(['web', 'worker', 'sandbox'])('%s killed with -9 comes back', async (name) => {
    const before = installation.part(name);
    kill(before);
    await vi.waitFor(() => expect(installation.part(name)).not.toBe(before), { timeout: 30_000 });
    await comesBack();
  });

  test('the database restarts after kill -9', async () => {
    kill(installation.databaseServer);
    await vi.waitFor(async () => expect(await status(product)).toBe(503), { timeout: 30_000, interval: 20 });
    await comesBack();
  });

  test('SIGTERM stops everything within 15 s and leaves no process, lock or socket', async () => {
    // A process that started while the database was down may have restarted once.
    const processes = await vi.waitFor(() => installation.processes, { timeout: 30_000 });
    const began = performance.now();
    process.kill(product.pid, 'SIGTERM');
    expect(await product.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
    await installation.expectNothingLeft(product, processes, 100);
    installation.expectTidy();
  });
});

/** What the server answers to these bytes until it closes the connection or stops sending. */
function exchange(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(500, () => socket.destroy());
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}
