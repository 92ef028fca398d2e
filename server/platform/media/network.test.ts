import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listen, portOf, stop } from '#server/testing/media/internet.ts';
import { createNetwork } from './network.ts';

const A = 1;
const AAAA = 28;

/** A DNS server's answer: records by type, no such name, a failure, or no answer. */
type Records = Record<number, Buffer[]> | 'no such name' | 'failure' | 'silence';

let zone: Record<string, Records>;
let asked: string[];
let dns: { server: string; close(): Promise<void> };

beforeEach(async () => {
  zone = {};
  asked = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = answerTo(query);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  dns = {
    server: `127.0.0.1:${socket.address().port}`,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
});
afterEach(() => dns.close());

/** RFC 1035: the header, the question as it came, and an answer for each record. */
function answerTo(query: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  asked.push(`${name} ${type === A ? 'A' : type === AAAA ? 'AAAA' : type}`);
  const records = zone[name] ?? 'no such name';
  if (records === 'silence') return undefined;
  const code = records === 'no such name' ? 3 : records === 'failure' ? 2 : 0;
  const data = typeof records === 'object' ? (records[type] ?? []) : [];
  const header = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, data.length, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  const answers = data.map((bytes) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]), bytes]),
  );
  return Buffer.concat([header, query.subarray(12, at + 5), ...answers]);
}

const v4 = (...octets: number[]) => Buffer.from(octets);
const v6 = (hex: string) => Buffer.from(hex.replaceAll(':', ''), 'hex');

function resolve(hostname: string, signal = new AbortController().signal): Promise<string[]> {
  return createNetwork({ dnsServers: [dns.server] }).resolve(hostname, { trusted: false, signal });
}

describe('a look-up for a stranger', () => {
  test('asks for both families and returns every address, IPv4 first', async () => {
    zone['both.test'] = {
      [A]: [v4(1, 1, 1, 1), v4(127, 0, 0, 1)],
      [AAAA]: [v6('2606:4700:0000:0000:0000:0000:0000:1111'), v6('0000:0000:0000:0000:0000:ffff:0a00:0001')],
    };
    expect(await resolve('both.test')).toEqual([
      '1.1.1.1',
      '127.0.0.1',
      '2606:4700::1111',
      '::ffff:10.0.0.1',
    ]);
    expect(asked.sort()).toEqual(['both.test A', 'both.test AAAA']);
  });

  test('succeeds with one family', async () => {
    zone['four.test'] = { [A]: [v4(1, 1, 1, 1)] };
    zone['six.test'] = { [AAAA]: [v6('2606:4700:0000:0000:0000:0000:0000:1111')] };
    expect(await resolve('four.test')).toEqual(['1.1.1.1']);
    expect(await resolve('six.test')).toEqual(['2606:4700::1111']);
  });

  test('fails for a name without addresses, one that does not exist, and a server that cannot', async () => {
    zone['none.test'] = {};
    zone['failure.test'] = 'failure';
    await expect(resolve('none.test')).rejects.toThrow(/ENODATA/);
    await expect(resolve('nobody.test')).rejects.toThrow(/ENOTFOUND/);
    await expect(resolve('failure.test')).rejects.toThrow(/ESERVFAIL/);
  });

  test('ends at once when it is aborted, even if the server is silent', async () => {
    zone['silent.test'] = 'silence';
    const controller = new AbortController();
    const pending = resolve('silent.test', controller.signal);
    while (asked.length === 0) await new Promise((next) => setImmediate(next));
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    await expect(resolve('silent.test', controller.signal)).rejects.toThrow('enough');
  });

  test('never reads the hosts file', async () => {
    await expect(resolve('localhost')).rejects.toThrow();
    await expect(resolve('ip6-localhost')).rejects.toThrow();
  });
});

test('an allowed host is looked up by the system’s resolver', async () => {
  const { signal } = new AbortController();
  expect(await createNetwork().resolve('localhost', { trusted: true, signal })).toContain('127.0.0.1');
  const nobody = createNetwork().resolve('name.invalid', { trusted: true, signal });
  await expect(nobody).rejects.toThrow();
});

describe('dial', () => {
  const { dial } = createNetwork();
  const { signal } = new AbortController();

  test('returns the address of the other end', async () => {
    const server = await listen(createServer());
    const { socket, remoteAddress } = await dial('127.0.0.1', portOf(server), signal);
    expect(remoteAddress).toBe('127.0.0.1');
    socket.destroy();
    await stop(server);
  });

  test('fails where nobody listens', async () => {
    const server = await listen(createServer());
    const port = portOf(server);
    await stop(server);
    await expect(dial('127.0.0.1', port, signal)).rejects.toThrow(/ECONNREFUSED/);
  });

  test('stops when it is aborted', async () => {
    const server = await listen(createServer());
    const controller = new AbortController();
    const pending = dial('127.0.0.1', portOf(server), controller.signal);
    controller.abort(new Error('enough'));
    await expect(pending).rejects.toThrow('enough');
    await expect(dial('127.0.0.1', portOf(server), controller.signal)).rejects.toThrow('enough');
    await stop(server);
  });
});
