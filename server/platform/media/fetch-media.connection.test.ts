import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import path from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { sayFileProblem } from '#server/core/file-problem.ts';
import { createAuthority, selfSigned, trusting } from '#server/testing/media/certificates.ts';
import { fetchInProcess } from '#server/testing/media/child.ts';
import { listen, portOf } from '#server/testing/media/internet.ts';
import { PUBLIC, PUBLIC_TOO, setUpLab } from '#server/testing/media/lab.ts';
import { connectVetted } from './connect.ts';
import { createNetwork, type Network } from './network.ts';

const UNREACHABLE_SENTENCE = sayFileProblem({ problem: 'unreachable' });

const lab = setUpLab();
/** A failure of the network may pass; an address that is refused without network access stays refused. */
const unreachable = { code: 'media_unavailable', message: UNREACHABLE_SENTENCE };
const forbidden = { code: 'media_unusable', message: UNREACHABLE_SENTENCE };

/** A plain server that answers with `body`, reachable only where the test routes it. */
async function serverOf(body: string): Promise<Server> {
  return lab.keep(await listen(createHttpServer((_request, response) => response.end(body))));
}

/** http://public.test/ redirects here. */
async function redirectsTo(location: string, status = 302): Promise<void> {
  await lab.serveRaw((socket) =>
    socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
  );
}

describe('the address of a file', () => {
  test('is looked up once, and only its checked addresses are connected to', async () => {
    lab.internet.name('two.test', [PUBLIC, PUBLIC_TOO], ['127.0.0.1']);
    lab.internet.route(PUBLIC, 80, await serverOf('one'));
    expect((await lab.fetch('http://two.test/')).bytes).toBe(3);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
  });

  test('may be a literal public one, IPv6 too', async () => {
    const server = await serverOf('abc');
    lab.internet.route(PUBLIC, 80, server);
    lab.internet.route('2606:4700::1111', 80, server);
    expect((await lab.fetch(`http://${PUBLIC}/`)).bytes).toBe(3);
    expect((await lab.fetch('http://[2606:4700::1111]/')).bytes).toBe(3);
  });

  test('is tried after a refusing one and a silent one', async () => {
    lab.internet.name('many.test', ['203.208.60.2', '203.208.60.3', PUBLIC]);
    lab.internet.route('203.208.60.3', 80, 'is silent');
    lab.internet.route(PUBLIC, 80, await serverOf('third'));
    expect((await lab.fetch('http://many.test/', { times: { attemptMs: 50 } })).bytes).toBe(5);
    expect(lab.internet.dialled).toEqual(['203.208.60.2:80', '203.208.60.3:80', `${PUBLIC}:80`]);
  });

  test('is one of at most four attempts', async () => {
    lab.internet.name(
      'many.test',
      [...Array(50).keys()].map((n) => `203.208.61.${n}`),
    );
    expect(await lab.refusal('http://many.test/')).toEqual(unreachable);
    expect(lab.internet.dialled).toHaveLength(4);
  });

  test.each([[['10.0.0.1']], [[PUBLIC, '::1']], [['fe80::1%eth0', PUBLIC]], [['not an address']], [[]]])(
    'is refused when the look-up says %j',
    async (addresses) => {
      lab.internet.name('name.test', addresses);
      expect(await lab.refusal('http://name.test/')).toEqual(unreachable);
      expect(lab.internet.dialled).toEqual([]);
    },
  );

  test('is refused by the only function that connects, for every caller', async () => {
    const { network, dialled } = lab.internet;
    const { signal } = new AbortController();
    const options = { allowHosts: [], ports: [80], network, signal, attemptMs: 100 };
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'http://public.test:22/']) {
      await expect(connectVetted(new URL(url), options)).rejects.toThrow(AppError);
    }
    expect(dialled).toEqual([]);
  });

  test('is checked again once connected: no byte is sent to another address', async () => {
    let bytes = 0;
    const server = await serverOf('somewhere else');
    server.on('connection', (socket) => socket.on('data', (chunk: Buffer) => (bytes += chunk.length)));
    const real = createNetwork();
    const network = {
      ...lab.internet.network,
      // Like a middlebox that takes over the connection.
      dial: (_address: string, _port: number, signal: AbortSignal) =>
        real.dial('127.0.0.1', portOf(server), signal),
    };
    expect(await lab.refusal('http://public.test/', { network })).toEqual(unreachable);
    expect(bytes).toBe(0);
  });
});

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('with status %i is followed to another host', async (status) => {
    lab.internet.name('other.test', [PUBLIC_TOO]);
    lab.internet.route(PUBLIC_TOO, 80, await serverOf('other'));
    await redirectsTo('http://other.test/x', status);
    expect((await lab.fetch('http://public.test/')).bytes).toBe(5);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`, `${PUBLIC_TOO}:80`]);
  });

  test('is followed three times, also when relative', async () => {
    const paths: string[] = [];
    const next: Record<string, string> = {
      '/a/one': 'two',
      '/a/two': '/three',
      '/three': '//public.test/four',
    };
    await lab.serve((request, response) => {
      paths.push(request.url ?? '');
      const location = next[request.url ?? ''];
      response.writeHead(location ? 302 : 200, location ? { location } : {}).end('end');
    });
    expect((await lab.fetch('http://public.test/a/one')).bytes).toBe(3);
    expect(paths).toEqual(['/a/one', '/a/two', '/three', '/four']);
  });

  test.each([
    'http://127.0.0.1:{canary}/',
    'http://2130706433:{canary}/',
    'http://[::ffff:127.0.0.1]:{canary}/',
    '//127.0.0.1:{canary}/',
    'http://localhost:{canary}/',
    'http://inside.test:{canary}/',
    'http://169.254.169.254/latest/',
  ])('to an internal address is refused like a direct request: %s', async (location) => {
    lab.internet.name('inside.test', ['127.0.0.1']);
    await redirectsTo(location.replace('{canary}', String(lab.canary.port)));
    const refusal = await lab.refusal('http://public.test/', { ports: [80, lab.canary.port] });
    expect(refusal).toEqual(location.includes('inside.test') ? unreachable : forbidden);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
  });

  test('to the same name is looked up and checked again', async () => {
    lab.internet.name('rebind.test', [PUBLIC], ['127.0.0.1']);
    await redirectsTo('/again');
    expect(await lab.refusal('http://rebind.test/')).toEqual(unreachable);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
  });

  test.each([
    ['http://public.test:22/', 'url uses port 22. Use one of these ports: 80 or 443.'],
    ['file:///etc/passwd', 'url must begin with http:// or https://.'],
    [
      'http://',
      'url is not a complete URL. Send one that begins with https:// or http://, such as https://example.com/path.',
    ],
    [
      'http://a:b@public.test/',
      'url must not contain a user name or password; give a link that works without them.',
    ],
    [
      `/${'x'.repeat(8192)}`,
      'url has 8211 bytes, with its special characters encoded. The limit is 8192 bytes. Use a shorter link.',
    ],
  ])('to a forbidden URL is refused with the same sentence: %s', async (location, reason) => {
    await redirectsTo(location);
    expect(await lab.refusal('http://public.test/')).toEqual({
      code: 'media_unusable',
      message: `The file's server redirected to a URL that is refused: ${reason} Nothing was sent.`,
    });
  });

  test('without a location is an ordinary answer', async () => {
    await lab.serveRaw((socket) => socket.end('HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'));
    expect((await lab.refusal('http://public.test/')).message).toMatch(/answered 302/);
  });

  test('with two locations is followed to neither', async () => {
    await lab.serveRaw((socket) =>
      socket.end('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\nLocation: http://127.0.0.2/\r\n\r\n'),
    );
    expect((await lab.refusal('http://public.test/')).code).toBe('media_unusable');
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
  });
});

describe('an allowed host', () => {
  const network = createNetwork();

  test('is fetched over real look-ups and sockets, by name and by address', async () => {
    const server = await serverOf('intranet');
    for (const host of [`127.0.0.1:${portOf(server)}`, `localhost:${portOf(server)}`]) {
      expect((await lab.fetch(`http://${host}/`, { allowHosts: [host], network })).bytes).toBe(8);
    }
  });

  test('allows no other port, and no other host on its port', async () => {
    const server = await serverOf('intranet');
    const allowHosts = [`127.0.0.1:${portOf(server)}`];
    const ports = [portOf(server), lab.canary.port];
    for (const host of [
      `127.0.0.1:${lab.canary.port}`,
      `127.0.0.2:${portOf(server)}`,
      `localhost:${portOf(server)}`,
    ]) {
      const refusal = await lab.refusal(`http://${host}/`, { allowHosts, ports, network });
      expect(refusal.message).toBe(UNREACHABLE_SENTENCE);
    }
  });

  test('cannot redirect the fetcher to a forbidden address', async () => {
    lab.internet.name('store.test', ['10.0.0.7']);
    lab.internet.route(
      '10.0.0.7',
      9000,
      await lab.serveRaw((socket) =>
        socket.end(`HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${lab.canary.port}/\r\n\r\n`),
      ),
    );
    const allowHosts = ['store.test:9000'];
    const refusal = await lab.refusal('http://store.test:9000/', {
      allowHosts,
      ports: [80, lab.canary.port],
    });
    expect(refusal).toEqual(forbidden);
    expect(lab.internet.dialled).toEqual(['10.0.0.7:9000']);
  });

  test('must obey all other rules', async () => {
    await lab.serve((_request, response) => response.writeHead(403).end());
    const host = `127.0.0.1:${portOf(await lab.serve((_request, response) => response.writeHead(403).end()))}`;
    expect((await lab.refusal(`http://${host}/`, { allowHosts: [host], network })).message).toMatch(
      /answered 403/,
    );
    expect((await lab.refusal(`http://a:b@${host}/`, { allowHosts: [host], network })).code).toBe(
      'invalid_parameters',
    );
  });
});

describe('https', () => {
  const authority = createAuthority();

  async function serveTls(certificate = authority.issue(['public.test'])): Promise<{ names: unknown[] }> {
    const names: unknown[] = [];
    const server = createHttpsServer(certificate, (_request, response) => response.end('secure'));
    server.on('secureConnection', (socket) => names.push(socket.servername));
    lab.internet.route(PUBLIC, 443, lab.keep(await listen(server)));
    return { names };
  }

  test('works where the certificate is valid for the name, which the server receives', async () => {
    const { names } = await serveTls();
    await trusting(authority.cert, async () => {
      expect((await lab.fetch('https://public.test/')).bytes).toBe(6);
    });
    expect(names).toEqual(['public.test']);
  });

  test('treats a name with a final dot as the same name', async () => {
    await serveTls();
    lab.internet.name('public.test.', [PUBLIC]);
    await trusting(authority.cert, async () => {
      expect((await lab.fetch('https://public.test./')).bytes).toBe(6);
    });
  });

  test('needs a certificate that names the address when the URL does', async () => {
    await serveTls();
    await trusting(authority.cert, async () => {
      expect(await lab.refusal(`https://${PUBLIC}/`)).toEqual(unreachable);
    });
  });

  test('is refused where the server speaks plain HTTP or nothing at all', async () => {
    lab.internet.route(PUBLIC, 443, await serverOf('plain'));
    expect(await lab.refusal('https://public.test/')).toEqual(unreachable);
    const silent = await lab.serveRaw(() => {});
    lab.internet.route(PUBLIC, 443, silent);
    expect(await lab.refusal('https://public.test/', { times: { answerMs: 100 } })).toEqual(unreachable);
  });

  test('is refused when the connection is reset within a file of no announced length', async () => {
    const { network } = lab.internet;
    const ours: Socket[] = [];
    const server = createTlsServer(authority.issue(['public.test']), (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(7000)}`));
    });
    server.on('connection', async (socket) => {
      await vi.waitUntil(() => (ours[0]?.bytesRead ?? 0) > 7000, { interval: 5 });
      socket.resetAndDestroy();
    });
    lab.internet.route(PUBLIC, 443, lab.keep(await listen(server)));
    const dial: Network['dial'] = async (...to) => {
      const connection = await network.dial(...to);
      ours.push(connection.socket);
      return connection;
    };
    await trusting(authority.cert, async () => {
      const refusal = await lab.refusal('https://public.test/', { network: { ...network, dial } });
      expect(refusal.message).toMatch(/closed the connection before the whole file had arrived/);
    });
  });

  test('is verified even if the environment disables verification', async () => {
    let requests = 0;
    const server = createHttpsServer(selfSigned('localhost'), (_request, response) => {
      requests += 1;
      response.end('x');
    });
    const host = `localhost:${portOf(lab.keep(await listen(server)))}`;
    const outcome = await fetchInProcess(
      {
        url: `https://${host}/`,
        kind: 'document',
        allowHosts: [host],
        ports: [],
        spoolFile: path.join(lab.directory, 'file'),
      },
      { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } },
    );
    expect(outcome).toMatchObject(unreachable);
    expect(requests).toBe(0);
  });
});
