import { execFileSync } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { curlCommand } from './curl-command.ts';
import { LANGUAGES, sample } from './samples.ts';
import { canRun, runSample } from './testing-samples.ts';

const KEY = 'wsk_test_secret';
const SENT_ID = 'msg_01k9x2w3v4b5n6m7q8r9s0t1u2';

/** An example whose texts contain characters that a shell or a language could interpret. */
const request = (kind: MessageType) => {
  const hard = `It's "ready", for $5 – für Zoë 🐦\nLine two: \\n`;
  const fields = Object.entries(exampleRequest(kind, PLACEHOLDER_FILES));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === 'number' || name === 'url' ? value : hard]),
  );
};

/** What the API, or the network before it, does with one request. */
type Behaviour = (res: ServerResponse) => void;
const answer =
  (status: number, body: object, headers: Record<string, string> = {}): Behaviour =>
  (res) =>
    res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const refusal = (status: number, headers: Record<string, string> = {}) =>
  answer(status, { success: false, error: `Refused with ${status}.` }, headers);
const sent = answer(200, { success: true, data: { id: SENT_ID, to: 'x', type: 'text', status: 'sent' } });
const lost: Behaviour = (res) => res.destroy();
const cutOff: Behaviour = (res) => {
  res.writeHead(200, { 'content-length': '100' }).write('{"success": true, "da', () => res.destroy());
};
const proxyError: Behaviour = (res) => res.writeHead(502).end('<html>Bad Gateway</html>');

interface Seen {
  method: string | undefined;
  url: string | undefined;
  key: string | undefined;
  authorization: string | undefined;
  body: unknown;
}

/** A server that goes through the behaviours and repeats the last one. `seen`: the requests that it received. */
async function startApi(
  ...behaviours: Behaviour[]
): Promise<{ base: string; seen: Seen[] } & AsyncDisposable> {
  const seen: Seen[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const { method, url, headers } = req;
    const body = JSON.parse(await text(req));
    seen.push({
      ...{ method, url, body, authorization: headers.authorization },
      key: headers['idempotency-key'] as string | undefined,
    });
    (behaviours[seen.length - 1] ?? behaviours.at(-1))?.(res);
  };
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The one Idempotency-Key of all these requests. */
function keyOf(seen: Seen[]): string {
  const keys = new Set(seen.map(({ key }) => key));
  expect(keys.size).toBe(1);
  const [key = ''] = keys;
  expect(key).toMatch(/^[\w-]{16,}$/);
  return key;
}

for (const language of LANGUAGES) {
  const there = canRun(language);
  if (!there) console.warn(`The ${language} samples are not run: this machine has no interpreter for them.`);

  describe.runIf(there).concurrent(`the ${language} sample, run as the page shows it`, () => {
    test.each(MESSAGE_TYPES)('sends a message (%s) and prints its id', async (kind) => {
      await using api = await startApi(sent);
      const ran = await runSample(
        language,
        sample(language, { base: api.base, kind, request: request(kind) }),
        KEY,
      );
      expect(ran).toEqual({ exitCode: 0, stderr: '', stdout: expect.stringContaining(SENT_ID) });
      expect(api.seen).toEqual([
        {
          ...{ method: 'POST', url: `/v1/messages/${kind}`, authorization: `Bearer ${KEY}` },
          ...{ body: request(kind), key: expect.any(String) },
        },
      ]);
    });

    const run = (base: string) =>
      runSample(language, sample(language, { base, kind: 'text', request: request('text') }), KEY);

    test('retries after 429, 503, a lost connection and half an answer, with the same key and body', async () => {
      await using api = await startApi(
        ...[refusal(429, { 'retry-after': '1' }), refusal(503, { 'retry-after': '1' })],
        ...[lost, cutOff, sent],
      );
      const ran = await run(api.base);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout).toContain(SENT_ID);
      expect(api.seen).toHaveLength(5);
      keyOf(api.seen);
      for (const { body } of api.seen) expect(body).toEqual(request('text'));
    });

    test('retries a proxy’s error, and waits as long as Retry-After says', async () => {
      await using api = await startApi(proxyError, refusal(429, { 'Retry-After': '1' }), sent);
      const began = performance.now();
      expect((await run(api.base)).stdout).toContain(SENT_ID);
      expect(performance.now() - began).toBeGreaterThan(2900);
      expect(api.seen).toHaveLength(3);
      keyOf(api.seen);
    });

    test.each([
      { what: '502 unknown', refused: refusal(502, { 'x-send-outcome': 'unknown' }), status: 502 },
      { what: '502 not_sent', refused: refusal(502, { 'x-send-outcome': 'not_sent' }), status: 502 },
      { what: '400', refused: refusal(400), status: 400 },
      { what: '401', refused: refusal(401), status: 401 },
      { what: '409 of a number that needs a person', refused: refusal(409), status: 409 },
    ])('stops at $what and gives the reason', async ({ refused, status }) => {
      await using api = await startApi(refused);
      const ran = await run(api.base);
      expect(api.seen).toHaveLength(1);
      expect(ran.stdout + ran.stderr).toContain(`Refused with ${status}.`);
      // A command that is pasted into a shell must not end the shell.
      expect(ran.exitCode).toBe(language === 'curl' ? 0 : 1);
    });

    test('gives up after five tries', async () => {
      await using api = await startApi(refusal(429, { 'retry-after': '1' }));
      const ran = await run(api.base);
      expect(api.seen).toHaveLength(5);
      keyOf(api.seen);
      expect(ran.stdout + ran.stderr).toContain('Refused with 429.');
    });

    test('uses a different key for a different message', async () => {
      await using api = await startApi(sent);
      await run(api.base);
      await run(api.base);
      const [first, second] = api.seen;
      expect(first?.key).not.toBe(second?.key);
    });
  });
}

test.each(MESSAGE_TYPES)(
  'the command for one request (%s) passes its JSON through the shell unchanged',
  (kind) => {
    const params = { base: 'https://send.example/v1', kind, request: request(kind) };
    const command = curlCommand(params, { headers: ['Prefer: respond-async'] });
    const words = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
      encoding: 'utf8',
    });
    expect(JSON.parse(words.slice(words.indexOf('{')))).toEqual(request(kind));
    expect(words).toContain(`https://send.example/v1/messages/${kind}`);
    expect(words).toContain('Prefer: respond-async');
  },
);

test('only the command shown once with a new key contains the key', () => {
  const params = { base: 'https://send.example/v1', kind: 'text' as const, request: request('text') };
  expect(curlCommand(params, { key: KEY })).toContain(KEY);
  expect(curlCommand(params)).toContain('$WIREBIRD_KEY');
});
