import { createServer as createHttpsServer } from 'node:https';
import type { Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openGuardedClient } from '#server/platform/media/guarded-client.ts';
import {
  type Certificate,
  createAuthority,
  selfSigned,
  trusting,
} from '#server/testing/media/certificates.ts';
import { listen } from '#server/testing/media/internet.ts';
import { PUBLIC, setUpLab } from '#server/testing/media/lab.ts';
import { judge } from './request.ts';

const lab = setUpLab();

/** What the log of an endpoint says about a request to this URL. */
async function errorAt(url: string, { answerMs = 10_000 } = {}): Promise<string | null> {
  const { network } = lab.internet;
  const client = openGuardedClient(url, {
    ...{ allowHosts: [], ports: [80, 443], network, answerMs, connections: 1 },
  });
  onTestFinished(() => client.close());
  const judged = await client.post('{}', {}).then(
    (answer) => judge({ answer }),
    (failure: unknown) => judge({ failure }),
  );
  return judged.error;
}

const serverWith = async (certificate: Certificate): Promise<Server> =>
  lab.keep(
    await listen(
      createHttpsServer(certificate, (request, response) => {
        request.resume();
        response.end('ok');
      }),
    ),
  );

test('a fault of a certificate is named, and any other failure to connect is not', async () => {
  const authority = createAuthority();
  const hosts: [string, Certificate | 'refuses', RegExp | null][] = [
    ['good.test', authority.issue(['good.test']), null],
    ['expired.test', authority.issue(['expired.test'], -1), /has expired/],
    ['other.test', authority.issue(['good.test']), /for another host name/],
    ['own.test', selfSigned('own.test'), /is not trusted/],
    ['unknown.test', createAuthority().issue(['unknown.test']), /is not trusted/],
    ['closed.test', 'refuses', /could not be reached/],
  ];
  for (const [n, [host, certificate]] of hosts.entries()) {
    const address = `203.208.60.${n + 1}`;
    lab.internet.name(host, [address]);
    lab.internet.route(address, 443, certificate === 'refuses' ? certificate : await serverWith(certificate));
  }
  lab.internet.name('private.test', ['10.0.0.1']);
  lab.internet.route(PUBLIC, 443, await lab.serve((_request, response) => response.end('ok')));
  const named = [...hosts.map(([host]) => host), 'private.test', 'nobody.test', 'public.test'];
  await trusting(authority.cert, async () => {
    const errors = await Promise.all(named.map((host) => errorAt(`https://${host}/`)));
    for (const [n, [host, , sentence]] of hosts.entries())
      if (sentence === null) expect(errors[n], host).toBe(null);
      else expect(errors[n], host).toMatch(sentence);
    const [unreachable, hidden, unknown, plain] = errors.slice(-4);
    expect([hidden, unknown]).toEqual([unreachable, unreachable]);
    expect(plain).toMatch(/does not use https/);
  });
}, 30_000);

test.each([
  ['SSH-2.0-OpenSSH_9.9\r\n', /not valid HTTP/],
  ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello', /not valid HTTP/],
  [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /headers of the response are longer than 16 KB/],
  ['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', /broke before the response was complete/],
  ['', /broke before the response was complete/],
])('a response that cannot be read is described: %#', async (bytes, sentence) => {
  await lab.serveRaw((socket) => socket.end(bytes));
  expect(await errorAt('http://public.test/')).toMatch(sentence);
});

test('a response whose headers or body never end is too slow', async () => {
  for (const start of ['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf']) {
    await lab.serveRaw((socket) => socket.write(start));
    expect(await errorAt('http://public.test/', { answerMs: 200 })).toMatch(/within 10 seconds/);
  }
});

test('a body of any length is accepted', async () => {
  await lab.serve((request, response) => {
    request.resume();
    response.end('x'.repeat(1024 ** 2));
  });
  expect(await errorAt('http://public.test/')).toBe(null);
});
