import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canRun, runSamples } from '#app/_features/keys/testing-samples.ts';
import type { ReferenceOperation } from '#server/rest/reference/operations.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { requestSample, SAMPLE_LANGUAGES, withKey } from '#server/rest/reference/request-samples.ts';
import { pythonWith } from '../../../clients/testing/python.ts';

const KEY = 'wsk_test_secret';
const operations = currentReference().groups.flatMap((group) => group.operations);
const needsClient = pythonWith('httpx') === null ? ['Python'] : [];
if (needsClient.length > 0) console.warn('The Python samples are not run: no Python here has httpx.');

/** The answer to an operation's example request; a list has no next page. */
function answerTo({ answers }: ReferenceOperation): { success: boolean; data: object } {
  const ok = answers.find(({ status }) => status === 200);
  const { success, data } = (ok ?? { example: { success: true, data: {} } }).example as ReturnType<
    typeof answerTo
  >;
  return { success, data: 'next' in data ? { ...data, next: null } : data };
}

/** The first value in an answer's data. A sample can print it only after it has read the answer. */
function valueIn(data: unknown): string {
  return typeof data === 'object' && data !== null ? valueIn(Object.values(data)[0]) : String(data);
}

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
  const [, language = ''] = url?.split('/') ?? [];
  const operation = operations.find(
    (one) => one.request.method === method && `/${language}/v1${one.request.path}` === url,
  );
  response.setHeader('content-type', 'application/json');
  response.setHeader('x-request-id', 'req_1');
  response.end(JSON.stringify(operation && answerTo(operation)));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

test.each(SAMPLE_LANGUAGES.filter((language) => canRun(language) && !needsClient.includes(language)))(
  'each sample in %s makes its request and prints the answer',
  async (language) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${language}/v1`;
    // Every other sample contains the key, as a reader with a key sees it.
    const samples = operations.map(({ request }, at) => {
      const code = requestSample(language, base, request);
      return at % 2 === 0 ? { code, key: KEY } : { code: withKey(language, code, KEY), key: '' };
    });
    const { exitCode, stderr, printed } = await runSamples(language, samples);
    expect([exitCode, exitCode === 0 || stderr, printed.length]).toEqual([0, true, operations.length]);
    for (const [at, operation] of operations.entries()) {
      const { request } = operation;
      // The clients return nothing for a deletion.
      const silent = request.method === 'DELETE' && (language === 'Python' || language === 'TypeScript');
      expect(printed[at]).toContain(silent ? '' : valueIn(answerTo(operation).data));
      expect(asked.get(`${request.method} /${language}/v1${request.path}`)).toEqual({
        authorization: `Bearer ${KEY}`,
        idempotencyKey: request.headers['Idempotency-Key'],
        contentType: request.body ? 'application/json' : undefined,
        body: request.body,
      });
    }
  },
  90_000,
);
