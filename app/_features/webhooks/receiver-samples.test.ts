import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { RECEIVERS, type ReceiverLanguage } from './receiver-samples.ts';

const SECRET = `whsec_${Buffer.from('a secret of twenty-four b').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another one, as long as it').toString('base64')}`;

/** How a user runs the saved sample. */
const COMMANDS: Record<ReceiverLanguage, (port: number) => [string, ...string[]]> = {
  Node: () => [process.execPath, 'receiver.mjs'],
  Python: () => ['python3', 'receiver.py'],
  PHP: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receiver.php'],
};

function canRun(language: ReceiverLanguage): boolean {
  try {
    execFileSync(COMMANDS[language](0)[0], ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Runs the sample as shown. `events` returns the events that it has printed. */
async function startReceiver(language: ReceiverLanguage) {
  const place = await mkdtemp(path.join(os.tmpdir(), 'wirebird-receiver-'));
  const port = await freePort();
  const [command, ...args] = COMMANDS[language](port);
  await writeFile(path.join(place, args.at(-1) ?? ''), RECEIVERS[language]);
  // biome-ignore lint/style/noProcessEnv: no setting of the product; what a customer's shell hands on
  const env = { ...process.env, WIREBIRD_WEBHOOK_SECRET: SECRET, PORT: String(port), TMPDIR: place };
  const child: ChildProcess = spawn(command, args, { cwd: place, env });
  const ended = new Promise((done) => child.once('exit', done));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk));
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
  await vi.waitFor(() => post('', {}), { timeout: 20_000, interval: 50 });
  return {
    port,
    ended: () => child.exitCode !== null,
    events: () => printed.match(/message\.\w+ msg_\w+/g) ?? [],
    post: async (body: string, headers: Record<string, string>) => (await post(body, headers)).status,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      await rm(place, { recursive: true });
    },
  };
}

const event = (sequence: number, id = 'msg_01') =>
  JSON.stringify({ type: 'message.sent', timestamp: new Date().toISOString(), data: { id, sequence } });

/** The headers of a request, signed by the reference library. */
function headersOf(body: string, { secrets = [SECRET], at = new Date(), id = 'evt_01' } = {}) {
  return {
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
}

describe.each((Object.keys(RECEIVERS) as ReceiverLanguage[]).filter(canRun))('%s', (language) => {
  test('accepts signed events, and handles each state of a message once', async () => {
    await using receiver = await startReceiver(language);
    const sign = (body: string, options = {}) => receiver.post(body, headersOf(body, options));
    expect(await sign(event(1))).toBe(204);
    expect(await sign(event(1))).toBe(204);
    expect(await sign(event(3))).toBe(204);
    expect(await sign(event(2))).toBe(204);
    expect(await sign(event(1, 'msg_02'), { secrets: [OTHER, SECRET] })).toBe(204);
    await vi.waitFor(() =>
      expect(receiver.events()).toEqual([
        'message.sent msg_01',
        'message.sent msg_01',
        'message.sent msg_02',
      ]),
    );
  }, 40_000);

  test('refuses what is not signed with its secret, now', async () => {
    await using receiver = await startReceiver(language);
    const body = event(1);
    const good = headersOf(body);
    const refused: [string, Record<string, string>][] = [
      [body, headersOf(body, { secrets: [OTHER] })],
      [event(2), good],
      [body, { ...good, 'webhook-id': 'evt_02' }],
      [body, headersOf(body, { at: new Date(Date.now() - 400_000) })],
      [body, headersOf(body, { at: new Date(Date.now() + 400_000) })],
      ...Object.keys(good)
        .filter((name) => name.startsWith('webhook-'))
        .map((name): [string, Record<string, string>] => {
          const { [name as keyof typeof good]: _left, ...rest } = good;
          return [body, rest];
        }),
    ];
    for (const [name, value] of [
      ['webhook-timestamp', '²'],
      ['webhook-timestamp', 'now'],
      ['webhook-signature', 'v1,é'],
      ['webhook-signature', 'v1,'],
    ] as const)
      refused.push([body, { ...good, [name]: value }]);
    refused.push(['', good], ['', headersOf(body)]);
    for (const [sent, headers] of refused) expect(await receiver.post(sent, headers)).toBe(400);
    expect(receiver.events()).toEqual([]);
    expect(await receiver.post(body, good)).toBe(204);
  }, 40_000);

  test('still runs after a connection that broke within a request', async () => {
    await using receiver = await startReceiver(language);
    const socket = net.connect(receiver.port, '127.0.0.1');
    await new Promise<void>((done) => {
      socket.once('connect', () =>
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf', () => done()),
      );
    });
    socket.destroy();
    const body = event(1);
    // One after the other, so that the broken one has ended before the last.
    for (let n = 0; n < 3; n += 1) expect(await receiver.post(body, headersOf(body))).toBe(204);
    expect(receiver.ended()).toBe(false);
  }, 40_000);
});
