import { readFile } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sayFileProblem } from '#server/core/file-problem.ts';
import { createAuthority, selfSigned, trusting } from '#server/testing/media/certificates.ts';
import { fetchInProcess } from '#server/testing/media/child.ts';
import { type Canary, hasIpv6, listen, openCanary, portOf } from '#server/testing/media/internet.ts';
import { PUBLIC, type Refusal, setUpLab } from '#server/testing/media/lab.ts';
import vectors from '#server/testing/media/media-vectors.json' with { type: 'json' };
import { exe, mp4, pdf, png } from '#server/testing/media/samples.ts';
import { createNetwork } from './network.ts';

const UNREACHABLE_SENTENCE = sayFileProblem({ problem: 'unreachable' });

const lab = setUpLab();

const URL_CLASSES = [
  'loopback spelling',
  'ipv6/transition',
  'private/metadata',
  'scheme/userinfo/port/parse',
];

/** More URLs of the same kinds, tried in the same way. */
const KIN = [
  ...['http://127.1/', 'http://127.0.1/', 'http://0x7f.1/', 'http://0x7f000001/', 'http://017700000001/'],
  ...['http://0x7f.0x0.0x0.0x1/', 'http://127.0.0.1./', 'http://127.127.127.127/', 'http://0.0.0.0/'],
  ...['http://00000177.0.0.1/', 'http://①②⑦.⓪.⓪.①/', 'http://127．0．0．1/', 'http://127%2e0%2e0%2e1/'],
  ...[
    'http:/127.0.0.1/',
    'http:127.0.0.1/',
    'http:\\\\127.0.0.1/',
    'ht\ntp://127.0.0.1/',
    ' http://127.0.0.1/ ',
  ],
  ...['http://localhost/', 'http://LOCALHOST./', 'http://a.localhost/', 'http://lOcAlHoSt%2e/'],
  ...['http://127.0.0.1#@public.test/', 'http://127.0.0.1\\@public.test/', 'http://public.test@127.0.0.1/'],
  ...['http://public.test:pass@127.0.0.1/', 'http://@127.0.0.1/', 'http://127.0.0.1?@public.test/'],
  ...['http://[::]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::ffff:7f00:1]/', 'http://[::ffff:0:127.0.0.1]/'],
  ...['http://[::7f00:1]/', 'http://[::ffff:0x7f.1]/', 'http://[::1%25lo]/', 'http://[64:ff9b:1::7f00:1]/'],
  ...[
    'http://[2001:0:7f00:1::]/',
    'http://[2606:4700::5efe:127.0.0.1]/',
    'http://[fec0::1]/',
    'http://[100::1]/',
  ],
  ...['http://[fc00::1]/', 'http://[3fff::1]/', 'http://[5f00::1]/', 'http://[::ffff:8.8.8.8]/'],
  ...['http://172.16.0.1/', 'http://172.31.255.254/', 'http://192.0.0.192/', 'http://198.18.0.1/'],
  ...['http://203.0.113.1/', 'http://224.0.0.1/', 'http://240.0.0.1/', 'http://169.254.170.2/v2/credentials'],
  ...[
    'ftp://127.0.0.1/',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'ws://127.0.0.1/',
    'dict://127.0.0.1:11211/',
  ],
  ...[
    'http://public.test:25/',
    'http://public.test:6379/',
    'http://public.test:0/',
    'http://public.test:65536/',
  ],
  ...['http://public.test:80:22/', 'http://public.test:-80/', '', ' ', '\0'],
];

/** Writes `port` after the host, keeping the host's spelling. */
function withPort(url: string, port: number): string {
  return url.replace(/^(\s*ht\s*tp:[/\\]*(?:[^@/\\#?]*@)?)([^/\\#?\s:[\]]+|\[[^\]]*\])/, `$1$2:${port}`);
}

describe('a URL that must not be connected to', () => {
  const stated = vectors.filter((vector) => URL_CLASSES.includes(vector.class));
  const urls = [...stated.map((vector) => vector.input), ...KIN];
  let canary6: Canary | undefined;

  beforeEach(async () => {
    canary6 = (await hasIpv6()) ? await openCanary('::1') : undefined;
  });
  afterEach(async () => {
    expect(canary6?.connections() ?? 0).toBe(0);
    await canary6?.close();
  });

  test('every such entry of the table is expected to be refused', () => {
    expect(new Set(stated.map((vector) => vector.expect))).toEqual(new Set(['400-no-connect']));
    expect(stated.length).toBe(31);
  });

  test.each(urls)('%j is refused without a connection', async (url) => {
    const refusal = await lab.refusal(url);
    expect(['invalid_parameters', 'media_unusable']).toContain(refusal.code);
    expect(lab.internet.dialled).toEqual([]);
  });

  test.each(urls)('%j reaches no listener on loopback, over real look-ups and sockets', async (url) => {
    for (const { port } of [lab.canary, canary6].filter((canary) => canary !== undefined)) {
      const refusal = await lab.refusal(withPort(url, port), {
        ports: [port],
        network: createNetwork({ dnsServers: ['127.0.0.1:1'] }),
      });
      expect(['invalid_parameters', 'media_unusable']).toContain(refusal.code);
    }
  });

  test('the listeners are reached when they are allowed', async () => {
    const network = createNetwork();
    const allowHosts = [`127.0.0.1:${lab.canary.port}`, `localhost:${lab.canary.port}`];
    for (const host of ['127.0.0.1', '2130706433', 'localhost', '①②⑦.⓪.⓪.①']) {
      const fetched = await lab.fetch(withPort(`http://${host}/`, lab.canary.port), { allowHosts, network });
      expect(fetched.bytes).toBe(6);
    }
    lab.expectCanaryTouched();
  });
});

/** Entries that describe a situation, not a URL, each with the code that tests it. */
const SITUATIONS: Record<string, () => Promise<void>> = {
  'name → A 127.0.0.1': () => expectNameRefused(['127.0.0.1']),
  'AAAA ::ffff:10.0.0.1': () => expectNameRefused(['::ffff:10.0.0.1']),

  'resolves to one of own public/interface IPs': async () => {
    lab.internet.own('198.41.0.4', '2001:500:2::c');
    await expectNameRefused(['198.41.0.4']);
    await expectNameRefused(['2001:500:2:0::c']);
    for (const address of lab.internet.network.ownAddresses()) await expectNameRefused([address]);
    expect(await lab.refusal('http://198.41.0.4/')).toEqual(unreachable);
    expect(lab.internet.dialled).toEqual([]);
  },

  'rebind: 1st answer public, 2nd 127.0.0.1, TTL 0': async () => {
    await lab.serve((_request, response) => response.end('public'));
    lab.internet.route('127.0.0.1', 80, lab.canary.port);
    lab.internet.name('rebind.test', [PUBLIC], ['127.0.0.1']);
    expect((await lab.fetch('http://rebind.test/')).bytes).toBe(6);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
    expect(await lab.refusal('http://rebind.test/')).toEqual(unreachable);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
  },

  '302 → http://127.0.0.1/': async () => {
    await lab.serve((_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end());
    expect(await lab.refusal('http://public.test/')).toEqual(forbidden);
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:80`]);
  },

  'https → http downgrade': async () => {
    const authority = createAuthority();
    const secure = createHttpsServer(authority.issue(['public.test']), (_request, response) =>
      response.writeHead(301, { location: 'http://public.test/' }).end(),
    );
    lab.internet.route(PUBLIC, 443, lab.keep(await listen(secure)));
    lab.internet.route(PUBLIC, 80, lab.canary.port);
    await trusting(authority.cert, async () => {
      expect(await lab.refusal('https://public.test/')).toEqual(
        unusable("The file's server redirected from https to http, which is not followed."),
      );
    });
    expect(lab.internet.dialled).toEqual([`${PUBLIC}:443`]);
  },

  'loop / 4 hops (max 3)': async () => {
    let hops = 0;
    await lab.serve((_request, response) => {
      hops += 1;
      response.writeHead(302, { location: '/again' }).end();
    });
    expect(await lab.refusal('http://public.test/')).toEqual(
      unusable("The file's server redirected more than 3 times."),
    );
    expect(hops).toBe(4);
  },

  'Content-Length 16 MiB+1': async () => {
    await lab.serveRaw((socket) => {
      // No body follows: the refusal must not wait for it.
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${16 * 1024 ** 2 + 1}\r\n\r\n`);
    });
    expect(await lab.refusal('http://public.test/')).toEqual({
      code: 'media_too_large',
      message:
        'The file at url is larger than 16 MB (16777216 bytes). Nothing was sent. Send a smaller file.',
    });
  },

  'Content-Length 10, body 17 MiB': async () => {
    await lab.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n');
      socket.write(Buffer.concat([png(), Buffer.alloc(17 * 1024 ** 2)]));
    });
    expect((await lab.refusal('http://public.test/', { kind: 'image' })).code).toBe('media_unusable');
    expect((await lab.refusal('http://public.test/', { kind: 'audio' })).code).toBe('media_unusable');
    const { bytes, spoolFile } = await lab.fetch('http://public.test/');
    expect(bytes).toBe(10);
    expect(await readFile(spoolFile)).toEqual(png().subarray(0, 10));
  },

  'Content-Encoding gzip 200 KB → 200 MiB': async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 ** 2), { level: 9 });
    await lab.serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    expect(await lab.refusal('http://public.test/')).toEqual(
      unusable("The file's server sent the file compressed although it was asked not to."),
    );
  },

  'body 1 B/s': async () => {
    await lab.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await lab.refusal('http://public.test/', { times: { totalMs: 300 } })).toEqual(
      mayPass('The file at url did not arrive within 0.3 seconds.'),
    );
  },

  '0 bytes': async () => {
    await lab.serve((_request, response) => response.end());
    for (const kind of ['document', 'image', 'audio'] as const) {
      expect(await lab.refusal('http://public.test/', { kind })).toEqual(
        unusable('The file at url is empty.'),
      );
    }
  },

  '/image: text/html body named .jpg': async () => {
    await lab.serve((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'image/jpeg' })
        .end('<!doctype html><title>no picture</title>'),
    );
    expect(await lab.refusal('http://public.test/photo.jpg', { kind: 'image' })).toEqual(
      unusable('The file at url is not a supported image. Use JPEG, PNG, WebP or GIF.'),
    );
  },

  '/image: PNG 50000x50000 (pixel flood)': async () => {
    await lab.serve((_request, response) => response.end(png(50_000, 50_000)));
    expect(await lab.refusal('http://public.test/', { kind: 'image' })).toEqual(
      unusable('The image at url has 50000 x 50000 pixels; at most 50 megapixels are sent.'),
    );
  },

  '/audio: video/mp4 or exe': async () => {
    const bodies = [
      mp4('isom', [
        ['vide', 'avc1'],
        ['soun', 'mp4a'],
      ]),
      mp4('M4A', [['vide', 'avc1']]),
      exe(),
    ];
    for (const body of bodies) {
      await lab.serve((_request, response) => response.end(body));
      const refusal = await lab.refusal('http://public.test/', { kind: 'audio' });
      expect(refusal.message).toMatch(/is not supported audio/);
    }
  },

  'self-signed / expired / wrong host': async () => {
    const authority = createAuthority();
    const certificates = [
      selfSigned('public.test'),
      authority.issue(['public.test'], -1),
      authority.issue(['other.test', 'public.test.other.test']),
    ];
    let requests = 0;
    await trusting(authority.cert, async () => {
      for (const certificate of certificates) {
        const server = createHttpsServer(certificate, (_request, response) => {
          requests += 1;
          response.end('x');
        });
        lab.internet.route(PUBLIC, 443, lab.keep(await listen(server)));
        expect(await lab.refusal('https://public.test/')).toEqual(unreachable);
      }
    });
    expect(requests).toBe(0);
  },

  '404, 500, 204, 206, 401, 403': async () => {
    for (const status of [404, 500, 204, 206, 401, 403]) {
      await lab.serve((_request, response) =>
        response.writeHead(status).end(status === 204 ? undefined : pdf()),
      );
      expect(await lab.refusal('http://public.test/')).toEqual(
        status === 500
          ? mayPass(`The file's server answered ${status}.`)
          : unusable(
              `The file's server answered ${status}. The URL must lead directly to the file, with status 200.`,
            ),
      );
    }
  },

  'blocked vs refused vs timeout vs NXDOMAIN': async () => {
    lab.internet.name('blocked.test', ['10.0.0.1']);
    lab.internet.name('refused.test', ['203.208.60.2']);
    lab.internet.name('timeout.test', ['203.208.60.3']);
    lab.internet.route('203.208.60.3', 80, 'is silent');
    await lab.serveRaw(() => {}); // connects, then stays silent
    const inside = await lab.refusal('http://127.0.0.1/', { times: { answerMs: 200 } });
    expect(inside).toEqual(forbidden);
    const urls = ['http://blocked.test/', 'http://refused.test/', 'http://timeout.test/'];
    for (const url of [...urls, 'http://nxdomain.test/', 'http://public.test/']) {
      expect(await lab.refusal(url, { times: { answerMs: 200 } })).toEqual(unreachable);
    }
  },

  'HTTP_PROXY set in env': async () => {
    const server = await lab.serve((_request, response) => response.end('straight from the server'));
    const host = `127.0.0.1:${portOf(server)}`;
    const proxy = `http://127.0.0.1:${lab.canary.port}`;
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
    const outcome = await fetchInProcess(
      {
        url: `http://${host}/`,
        kind: 'document',
        allowHosts: [host],
        ports: [],
        spoolFile: path.join(lab.directory, 'file'),
      },
      {
        env: {
          ...Object.fromEntries(names.map((name) => [name, proxy])),
          NODE_USE_ENV_PROXY: '1',
          NO_PROXY: '',
        },
      },
    );
    expect(outcome).toEqual({ bytes: 24 });
  },

  'Set-Cookie on hop 1': async () => {
    const heads: string[] = [];
    await lab.serveRaw((socket, head) => {
      heads.push(head);
      socket.end(
        heads.length === 1
          ? 'HTTP/1.1 302 Found\r\nSet-Cookie: a=b\r\nLocation: /two\r\nContent-Length: 0\r\n\r\n'
          : 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
      );
    });
    await lab.fetch('http://public.test/one');
    expect(heads).toHaveLength(2);
    for (const [index, head] of heads.entries()) {
      const [line, ...headers] = head.trimEnd().split('\r\n');
      expect(line).toBe(`GET ${index === 0 ? '/one' : '/two'} HTTP/1.1`);
      expect(headers.map((header) => header.toLowerCase()).sort()).toEqual([
        'accept-encoding: identity',
        'accept: */*',
        'connection: close',
        'host: public.test',
        'user-agent: wirebird/1.0 (media fetcher)',
      ]);
    }
  },
};

const unreachable = { code: 'media_unavailable', message: UNREACHABLE_SENTENCE };

/** For an address that is refused without network access, which reveals nothing to a stranger. */
const forbidden = { code: 'media_unusable', message: UNREACHABLE_SENTENCE };

function mayPass(what: string): Refusal {
  return { code: 'media_unavailable', message: `${what} Nothing was sent. Retry the request later.` };
}

function unusable(message: string): Refusal {
  return { code: 'media_unusable', message: `${message} Nothing was sent.` };
}

/** A name is refused when it has only these addresses, and when a public one comes before or after them. */
async function expectNameRefused(addresses: string[]): Promise<void> {
  const before = lab.internet.dialled.length;
  for (const answer of [addresses, [PUBLIC, ...addresses], [...addresses, PUBLIC]]) {
    lab.internet.name('name.test', answer);
    expect(await lab.refusal('http://name.test/')).toEqual(unreachable);
  }
  expect(lab.internet.dialled.length).toBe(before);
}

describe('a situation that must end well', () => {
  const situations = vectors.filter((vector) => !URL_CLASSES.includes(vector.class));

  test('every entry of the table is tried', () => {
    expect(situations.map((vector) => vector.input).sort()).toEqual(Object.keys(SITUATIONS).sort());
  });

  test.each(situations)('$class: $input', async ({ input }) => {
    await SITUATIONS[input]?.();
  });
});
