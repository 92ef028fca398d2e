import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canRun, runSample } from '#app/_features/keys/testing-samples.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { requestSample, SAMPLE_LANGUAGES, withKey } from '#server/rest/reference/request-samples.ts';

const KEY = 'wsk_test_secret';
const operations = currentReference().groups.flatMap((group) => group.operations);

/** What any endpoint answers. */
const DATA = {
  id: 'the answer',
  events: 'the answer',
  recipients: ['the answer'],
  webhooks: ['the answer'],
  messages: ['the answer'],
  next: null,
};

const asked = new Map<string, object>();
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const body = await text(request);
  asked.set(`${method} ${url}`, {
    authorization: headers.authorization,
    idempotencyKey: headers['idempotency-key'],
    contentType: body === '' ? undefined : headers['content-type'],
    body: body === '' ? null : JSON.parse(body),
  });
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-request-id', 'any');
  response.end(JSON.stringify({ success: true, data: DATA }));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

test.each(SAMPLE_LANGUAGES.filter(canRun))(
  'each sample in %s makes its request and prints the answer',
  async (language) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${language}/v1`;
    const runs = operations.map(({ request }, at) => async () => {
      // Half of them as a reader with a key sees them.
      const sample = requestSample(language, base, request);
      const shown = at % 2 === 0 ? sample : withKey(language, sample, KEY);
      const { exitCode, stdout, stderr } = await runSample(language, shown, at % 2 === 0 ? KEY : '');
      expect([exitCode, exitCode === 0 || stderr]).toEqual([0, true]);
      expect(stdout).toMatch(request.method === 'DELETE' ? /the answer|deleted/ : 'the answer');
      expect(asked.get(`${request.method} /${language}/v1${request.path}`)).toEqual({
        authorization: `Bearer ${KEY}`,
        idempotencyKey: request.headers['Idempotency-Key'],
        contentType: request.body ? 'application/json' : undefined,
        body: request.body,
      });
    });
    // A few interpreters at a time, because a sample has 60 s on a busy machine too.
    const worker = async () => {
      for (let run = runs.shift(); run; run = runs.shift()) await run();
    };
    await Promise.all([worker(), worker(), worker()]);
  },
  180_000,
);
