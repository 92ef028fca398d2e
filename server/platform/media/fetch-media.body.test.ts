import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { sayFileProblem } from '#server/core/file-problem.ts';
import { fetchInProcess } from '#server/testing/media/child.ts';
import { portOf } from '#server/testing/media/internet.ts';
import { setUpLab } from '#server/testing/media/lab.ts';
import { pdf, png } from '#server/testing/media/samples.ts';
import type { Network } from './network.ts';

const UNREACHABLE_SENTENCE = sayFileProblem({ problem: 'unreachable' });

const lab = setUpLab();
const URL_TEXT = 'http://public.test/file';
const MIB = 1024 ** 2;

const truncated = {
  code: 'media_unavailable',
  message:
    "The file's server closed the connection before the whole file had arrived. Nothing was sent. Retry the request later.",
};
const compressed = {
  code: 'media_unusable',
  message: "The file's server sent the file compressed although it was asked not to. Nothing was sent.",
};

/** Answers with these bytes and closes the connection. */
function answers(...parts: (string | Buffer)[]): Promise<unknown> {
  return lab.serveRaw((socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  });
}

/** Writes the same bytes as fast as they are taken, until the connection closes. */
function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', more);
  more();
}

/** The lab's network, and the sockets that were made through it. */
function watched(): { network: Network; sockets: Socket[] } {
  const sockets: Socket[] = [];
  const { network } = lab.internet;
  return {
    sockets,
    network: {
      ...network,
      async dial(address, port, signal) {
        const connection = await network.dial(address, port, signal);
        sockets.push(connection.socket);
        return connection;
      },
    },
  };
}

describe('a fetched file', () => {
  test('is in the spool with its bytes, mode 0600, type and checksum, and nothing else', async () => {
    const body = png();
    await lab.serve((_request, response) => response.end(body));
    await writeFile(path.join(lab.directory, 'file'), 'what an earlier try left');
    const left = `file.${process.pid}.part`;
    await writeFile(path.join(lab.directory, left), 'and what a killed process left');

    const spoolFile = path.join(lab.directory, 'file');
    expect(await lab.fetch(URL_TEXT, { kind: 'image' })).toEqual({
      mimeType: 'image/png',
      extension: 'png',
      bytes: body.length,
      sha256: createHash('sha256').update(body).digest('hex'),
      spoolFile,
    });
    expect(await readFile(spoolFile)).toEqual(body);
    expect((await stat(spoolFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(lab.directory)).toEqual(['file']);
  });

  test('may arrive in chunks, after interim answers, or end with the connection', async () => {
    await answers(
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\nTrailer: x\r\n\r\n',
    );
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(3);
    await answers('HTTP/1.0 200 OK\r\n\r\nabcd');
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(4);
  });

  test('may follow a 100 Continue that nobody asked for, however it arrives', async () => {
    const last = 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nHTTP/1.1 100 is text';
    await answers('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 100 \r\nX: y\r\n\r\n', last);
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(20);
    await lab.serveRaw(async (socket) => {
      socket.setNoDelay();
      for (const byte of `HTTP/1.1 100 Continue\r\n\r\n${last}`) {
        socket.write(byte);
        await setImmediate();
      }
      socket.end();
    });
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(20);
  });

  // Object stores answer these for what was uploaded so.
  test.each([
    'Identity',
    'aws-chunked',
    'none',
    'utf-8',
    'UTF8',
    'iso-8859-1',
    'windows-1252',
    'binary',
    '8bit',
    'image/jpeg',
    'identity, aws-chunked',
    '',
  ])('may have the Content-Encoding %j, which compresses nothing', async (encoding) => {
    await answers(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Encoding: ${encoding}\r\n\r\nx`);
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(1);
  });

  test('may have the Transfer-Encoding identity', async () => {
    await answers('HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nx');
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(1);
  });

  test('is requested with path and query, without the fragment, and with the port in Host', async () => {
    let head = '';
    const server = await lab.serveRaw((socket, text) => {
      head = text;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx');
    });
    lab.internet.route('93.184.215.14', 8080, server);
    await lab.fetch('http://public.test:8080/a%20b/ü?c=d&e#f', { ports: [8080] });
    expect(head).toMatch(/^GET \/a%20b\/%C3%BC\?c=d&e HTTP\/1\.1\r\n/);
    expect(head).toMatch(/\r\nhost: public\.test:8080\r\n/i);
  });
});

describe('the limit of 16 MiB', () => {
  const full = Buffer.alloc(16 * MIB, 'x');
  const tooLarge = {
    code: 'media_too_large',
    message: 'The file at url is larger than 16 MB (16777216 bytes). Nothing was sent. Send a smaller file.',
  };

  test('is inclusive, announced or in chunks', async () => {
    await lab.serve((_request, response) =>
      response.writeHead(200, { 'content-length': full.length }).end(full),
    );
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(16 * MIB);
    await lab.serve((_request, response) => void response.write(full, () => response.end()));
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(16 * MIB);
  });

  test('is exceeded by one byte more, in chunks or up to the end of the connection', async () => {
    await lab.serve((_request, response) => {
      response.write(full);
      response.end('x');
    });
    expect(await lab.refusal(URL_TEXT)).toEqual(tooLarge);
    await answers('HTTP/1.1 200 OK\r\n\r\n', full, 'x');
    expect(await lab.refusal(URL_TEXT)).toEqual(tooLarge);
  });

  test('cuts off an endless body at most 64 KiB beyond it', async () => {
    const { network, sockets } = watched();
    const closed = Promise.withResolvers<void>();
    await lab.serveRaw((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      pour(socket, Buffer.alloc(MIB, 'x'));
    });
    expect(await lab.refusal(URL_TEXT, { network })).toEqual(tooLarge);
    expect(sockets.map((socket) => socket.bytesRead)).toHaveLength(1);
    expect(sockets[0]?.bytesRead).toBeLessThanOrEqual(full.length + 64 * 1024);
    await closed.promise;
  });

  test.each([
    ['its announced length', `200 OK\r\nContent-Length: ${100 * MIB}`],
    ['its status', '404 Not Found'],
    ['its encoding', '200 OK\r\nContent-Encoding: gzip'],
    ['its redirect', '302 Found\r\nLocation: ftp://public.test/'],
  ])('a body refused for %s is not read, and cut off', async (_what, head) => {
    const { network, sockets } = watched();
    const closed = Promise.withResolvers<void>();
    await lab.serveRaw((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
      pour(socket, Buffer.alloc(MIB, 'x'));
    });
    await lab.refusal(URL_TEXT, { network });
    await closed.promise;
    expect(sockets[0]?.bytesRead).toBeLessThanOrEqual(256 * 1024);
  });
});

describe('an answer that is not a complete file', () => {
  test.each([
    ['an announced length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
    ['a chunk that breaks off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc'],
  ])('is refused: cut off within %s', async (_what, answer) => {
    await answers(answer);
    expect(await lab.refusal(URL_TEXT)).toEqual(truncated);
  });

  const FRAMINGS = {
    'an announced length': 'HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n',
    chunks: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n',
    'no length': 'HTTP/1.1 200 OK\r\n',
    'no length, as HTTP/1.0': 'HTTP/1.0 200 OK\r\n',
  };
  const CLOSINGS = {
    'and says close': 'Connection: close\r\n',
    'and says keep-alive': 'Connection: keep-alive\r\n',
  };

  describe.each(Object.entries(FRAMINGS))('with %s', (framing, head) => {
    test.each(Object.entries(CLOSINGS))(
      '%s, is refused: reset after 7,000 of 20,000 bytes',
      async (_says, says) => {
        const { network, sockets } = watched();
        const start = `${framing === 'chunks' ? '4e20\r\n' : ''}${'x'.repeat(7000)}`;
        const answer = `${head}${says}\r\n${start}`;
        await lab.serveRaw(async (socket) => {
          socket.write(answer);
          await vi.waitUntil(() => sockets[0]?.bytesRead === answer.length, { interval: 5 });
          socket.resetAndDestroy();
        });
        expect(await lab.refusal(URL_TEXT, { network })).toEqual(truncated);
      },
    );
  });

  test.each(Object.entries(CLOSINGS))(
    '%s, is refused: closed within a length or chunks',
    async (_says, says) => {
      await answers(`${FRAMINGS['an announced length']}${says}\r\nabc`);
      expect(await lab.refusal(URL_TEXT)).toEqual(truncated);
      for (const part of ['', '3\r\n', '3\r\na', '3\r\nabc\r\n', '3\r\nabc\r\n0\r\n']) {
        await answers(`${FRAMINGS.chunks}${says}\r\n${part}`);
        expect(await lab.refusal(URL_TEXT)).toEqual(truncated);
      }
    },
  );

  test('is complete: its length or last chunk came before the reset', async () => {
    for (const answer of [
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    ]) {
      const { network, sockets } = watched();
      await lab.serveRaw(async (socket) => {
        socket.write(answer);
        await vi.waitUntil(() => sockets[0]?.bytesRead === answer.length, { interval: 5 });
        socket.resetAndDestroy();
      });
      expect((await lab.fetch(URL_TEXT, { network })).bytes).toBe(3);
    }
  });

  test.each(['gzip', 'x-gzip', 'br', 'zstd', 'deflate', 'compress', 'identity, gzip', 'GZIP'])(
    'is refused: Content-Encoding %s',
    async (encoding) => {
      await answers(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Encoding: ${encoding}\r\n\r\nx`);
      expect(await lab.refusal(URL_TEXT)).toEqual(compressed);
    },
  );

  test('is refused: an encoding in a second header, or as Transfer-Encoding', async () => {
    await answers('HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\n\r\nx');
    expect(await lab.refusal(URL_TEXT)).toEqual(compressed);
    await answers('HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n');
    expect(await lab.refusal(URL_TEXT)).toEqual(compressed);
  });

  test.each(['base64', 'x-unknown', 'aws-chunked, x-unknown'])(
    'is refused: the unknown Content-Encoding %s, by its name',
    async (encoding) => {
      await answers(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Encoding: ${encoding}\r\n\r\nx`);
      expect(await lab.refusal(URL_TEXT)).toEqual({
        code: 'media_unusable',
        message: `The file's server declares the encoding "${encoding.split(', ').at(-1)}" for the file, which is unknown here. Remove it there, or serve the file without it. Nothing was sent.`,
      });
    },
  );

  test('is refused: an unknown encoding, without what no encoding is called', async () => {
    await answers('HTTP/1.1 200 OK\r\nContent-Encoding: <script>\r\n\r\nx');
    expect((await lab.refusal(URL_TEXT)).message).toContain('declares an unknown encoding for the file');
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    [
      'another protocol asked for',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ],
    [
      'another protocol without a name',
      'HTTP/1.1 101 Switching Protocols\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
    ],
    ['TLS', '\x15\x03\x01\0\x02\x02\x46'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
    ['the same length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'],
    ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx'],
    ['lines that end with LF alone', 'HTTP/1.1 200 OK\nContent-Length: 1\n\nx'],
    ['a space before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 1\r\n\r\nx'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 1\r\n\r\nx'],
    ['a status that is none', 'HTTP/1.1 20 OK\r\nContent-Length: 1\r\n\r\nx'],
    ['no headers at all', '<html>hello</html>'],
    [
      'chunks in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    ],
    [
      'a chunk with a false length',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n',
    ],
    ['a chunk without a length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n0\r\n\r\n'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    ],
  ])('is refused as invalid HTTP: %s', async (_what, answer) => {
    await answers(answer);
    expect(await lab.refusal(URL_TEXT)).toEqual({
      code: 'media_unusable',
      message: expect.stringMatching(
        /^The file's server, or a proxy before it, answered with invalid HTTP \([\w ,/:.-]+\)\. Correct it, or use another server\. Nothing was sent\.$/,
      ),
    });
  });

  test.each(['', 'HT', 'HTTP/1.1 100 Cont', 'HTTP/1.1 200 OK\r\nContent-Le'])(
    'is refused as such: the server closes the connection after %j',
    async (answer) => {
      await answers(answer);
      expect(await lab.refusal(URL_TEXT)).toEqual({
        code: 'media_unavailable',
        message:
          "The file's server closed the connection before it had answered. Nothing was sent. Retry the request later.",
      });
    },
  );

  test('is refused: any status but 200', async () => {
    for (const status of [201, 202, 203, 205, 207, 226, 299, 300, 304, 400, 403, 404, 410, 418]) {
      await answers(`HTTP/1.1 ${status} Something\r\nContent-Length: 3\r\n\r\nabc`);
      expect(await lab.refusal(URL_TEXT)).toEqual({
        code: 'media_unusable',
        message: `The file's server answered ${status}. The URL must lead directly to the file, with status 200. Nothing was sent.`,
      });
    }
  });

  test('is reported as temporary: a status that its server gives for the moment', async () => {
    for (const status of [408, 425, 429, 500, 502, 503, 504, 599]) {
      await answers(`HTTP/1.1 ${status} Something\r\nContent-Length: 3\r\n\r\nabc`);
      expect(await lab.refusal(URL_TEXT)).toEqual({
        code: 'media_unavailable',
        message: `The file's server answered ${status}. Nothing was sent. Retry the request later.`,
      });
    }
  });
});

describe('a server that floods', () => {
  const headersTooLong = {
    code: 'media_unusable',
    message: "The file's server answered with more than 16 KiB of headers. Nothing was sent.",
  };
  const flood = {
    code: 'media_unusable',
    message: "The file's server sent far more than the file. Nothing was sent.",
  };

  test('is cut off at 16 KiB of headers', async () => {
    await answers(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(15_000)}\r\nContent-Length: 1\r\n\r\nx`);
    expect((await lab.fetch(URL_TEXT)).bytes).toBe(1);
    await answers(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}\r\nContent-Length: 1\r\n\r\nx`);
    expect(await lab.refusal(URL_TEXT)).toEqual(headersTooLong);
    await lab.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      pour(socket, Buffer.from('X: y\r\n'.repeat(1000)));
    });
    expect(await lab.refusal(URL_TEXT)).toEqual(headersTooLong);
  });

  test('is cut off at 16 KiB of headers, whatever limit the process starts with', async () => {
    const server = await lab.serveRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}\r\nContent-Length: 1\r\n\r\nx`),
    );
    const host = `127.0.0.1:${portOf(server)}`;
    const spoolFile = path.join(lab.directory, 'file');
    const outcome = await fetchInProcess(
      { url: `http://${host}/`, kind: 'document', allowHosts: [host], ports: [], spoolFile },
      { env: { NODE_OPTIONS: '--max-http-header-size=100000' } },
    );
    expect(outcome).toMatchObject(headersTooLong);
  });

  test('is cut off when trailers never end', async () => {
    await lab.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n');
      pour(socket, Buffer.from('X: y\r\n'.repeat(1000)));
    });
    expect(await lab.refusal(URL_TEXT)).toEqual(headersTooLong);
  });

  test('is cut off when interim answers never end', async () => {
    await lab.serveRaw((socket) =>
      pour(socket, Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(500))),
    );
    expect(await lab.refusal(URL_TEXT, { bytesMax: MIB })).toEqual(flood);
  });

  test('is cut off when bytes are wrapped in long chunk extensions', async () => {
    const { network, sockets } = watched();
    await lab.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      pour(socket, Buffer.from(`1;${'e'.repeat(10_000)}\r\nx\r\n`.repeat(10)));
    });
    expect(await lab.refusal(URL_TEXT, { bytesMax: MIB, network })).toEqual(flood);
    expect(sockets[0]?.bytesRead).toBeLessThan(3 * MIB);
  });
});

describe('a server that is slow', () => {
  test('gets only the time to answer, even when its headers trickle in', async () => {
    await lab.serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const drip = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await lab.refusal(URL_TEXT, { times: { answerMs: 150 } })).toEqual({
      code: 'media_unavailable',
      message: UNREACHABLE_SENTENCE,
    });
  });

  test('gets only the total time, redirects included', async () => {
    await lab.serve((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/next' }).end(), 120);
    });
    expect(await lab.refusal(URL_TEXT, { times: { answerMs: 1000, totalMs: 300 } })).toEqual({
      code: 'media_unavailable',
      message:
        'The file at url did not arrive within 0.3 seconds. Nothing was sent. Retry the request later.',
    });
  });
});

test('a caller that leaves gets its own reason, and the connection is cut', async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<void>();
  await lab.serveRaw((socket) => {
    socket.on('close', () => closed.resolve());
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc', () =>
      controller.abort(new Error('stopping')),
    );
  });
  await expect(lab.fetch(URL_TEXT, { signal: controller.signal })).rejects.toThrow('stopping');
  await closed.promise;
  expect(await readdir(lab.directory)).toEqual([]);
  await expect(lab.fetch(URL_TEXT, { signal: controller.signal })).rejects.toThrow('stopping');
});

test('a document accepts any bytes of any declared type', async () => {
  await lab.serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(pdf()),
  );
  expect(await lab.fetch(URL_TEXT)).toMatchObject({ mimeType: 'application/pdf', extension: 'pdf' });
});
