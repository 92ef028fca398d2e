import { expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { exampleRequest } from '#server/core/examples.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { type ErrorCode, errorCodeOf, OUTCOMES, type OutcomeCode, outcomeOf } from '#server/core/outcomes.ts';
import { errorHeaders } from '#server/platform/http/error-answer.ts';
import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { checkerOf } from '#server/testing/openapi-document.ts';
import { ANSWER_HEADERS, ERROR_GUIDE, GUIDE_ROWS } from './error-guide.ts';
import { openApiDocument, openApiJson } from './openapi.ts';
import { ERROR_ANSWERS } from './openapi-answers.ts';

const testDocument = openApiDocument(sampleFiles());
const { misfit } = checkerOf(testDocument);

test('the document is OpenAPI 3.1 with exactly the endpoints of the specification', () => {
  expect(JSON.parse(openApiJson().toString()).openapi).toBe('3.1.0');
  const endpoints = Object.entries(testDocument.paths ?? {}).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(endpoints.sort()).toEqual([
    'DELETE /webhooks/{id}',
    'GET /messages',
    'GET /messages/{id}',
    'GET /number',
    'GET /status',
    'GET /webhooks',
    'PATCH /webhooks/{id}',
    ...MESSAGE_TYPES.map((type) => `POST /messages/${type}`).sort(),
    'POST /messages/{id}/cancel',
    'POST /recipients/check',
    'POST /webhooks',
    'POST /webhooks/{id}/replay',
    'POST /webhooks/{id}/rotate',
    'POST /webhooks/{id}/test',
  ]);
});

test('every reference in the document resolves', () => {
  const refs = [...JSON.stringify(testDocument).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path]) => path ?? '',
  );
  expect(refs.length).toBeGreaterThan(50);
  for (const ref of refs) {
    const found = ref
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], testDocument);
    expect(found, ref).toBeDefined();
  }
});

test('every example matches its schema', () => {
  let examples = 0;
  const walk = (value: unknown, pointer: string[]) => {
    if (typeof value !== 'object' || value === null) return;
    if ('example' in value && 'schema' in value) {
      examples += 1;
      expect(misfit([...pointer, 'schema'], value.example)).toBeNull();
    }
    for (const [name, child] of Object.entries(value)) walk(child, [...pointer, name]);
  };
  walk(testDocument, []);
  // A request and two answers of each kind, four other requests, ten errors, and an event.
  expect(examples).toBe(3 * MESSAGE_TYPES.length + 4 + 10 + 1);
});

test.each(MESSAGE_TYPES)('the document has an example of %s', (type) => {
  const body = testDocument.paths?.[`/messages/${type}`]?.post?.requestBody;
  expect(body).toMatchObject({
    content: { 'application/json': { example: exampleRequest(type, sampleFiles()) } },
  });
});

const DASHBOARD_ONLY: readonly ErrorCode[] = [
  'forbidden',
  'already_exists',
  'second_factor',
  'confirm_password',
];

const CODES = Object.keys(OUTCOMES) as OutcomeCode[];

test('every error is in the error guide, and its status in the document', () => {
  const guided = GUIDE_ROWS.flatMap((row) => ('codes' in row ? row.codes : []));
  const expected = CODES.map(errorCodeOf).filter((code) => !DASHBOARD_ONLY.includes(code));
  expect(new Set(guided)).toEqual(new Set(expected));
  const statuses = new Set(expected.map((code) => String(outcomeOf(code).status)));
  expect(new Set(Object.keys(ERROR_ANSWERS))).toEqual(statuses);
});

test('the codes of one row of the guide share one status and one advice', () => {
  for (const row of GUIDE_ROWS) {
    if (!('codes' in row)) continue;
    const [first, ...others] = row.codes
      .map(outcomeOf)
      .map(({ status, retry, mayBeSent }) => [status, retry, mayBeSent]);
    for (const other of others) expect(other, row.codes.join()).toEqual(first);
  }
});

test('a message that may still be sent is never called unsent', () => {
  const maybe = ['idempotency_key_reused', 'send_unknown', 'hung_up', 'not_cancellable', 'internal'];
  expect(testDocument.components?.headers?.['X-Error-Code']).toMatchObject({
    schema: { 'x-may-be-sent': maybe },
  });
  for (const { codes, sent } of ERROR_GUIDE) {
    if (codes.length > 0)
      expect(sent, codes.join()).toBe(codes.some((code) => maybe.includes(code)) ? 'perhaps' : 'no');
  }
});

test('every header that an error can carry is in the document', () => {
  const all = errorHeaders(
    new AppError('rate_limited', 'x', {
      retryAfterSeconds: 1,
      numberStatus: 'BLOCKED',
      sendOutcome: 'unknown',
      messageId: 'msg_x',
      earlier: { id: 'msg_y', status: 'sent' },
    }),
  );
  for (const name of Object.keys(all)) {
    if (name !== 'WWW-Authenticate') expect(Object.keys(ANSWER_HEADERS)).toContain(name);
  }
});

test('programs repeat only after Retry-After or without a response, as the guide’s rule and samples do', () => {
  for (const { sign, status, who, next, codes } of ERROR_GUIDE) {
    // Only a person reads `hung_up`, in the request log: the program got no response.
    if (who !== 'repeat' || status === 'none' || codes.includes('hung_up')) continue;
    expect(next).toMatch(/Wait for Retry-After/);
    if (status === 400 || status === 409) expect(sign).toMatch(/^Retry-After/);
  }
});

test('every operation has an id, its security and a tag that is described, also the webhook', () => {
  const described = testDocument.tags?.filter(({ description }) => description).map(({ name }) => name);
  const operations = [
    ...Object.values(testDocument.paths ?? {}),
    ...Object.values(testDocument.webhooks ?? {}),
  ].flatMap((item) =>
    Object.values(item as Record<string, { operationId?: string; security?: object[]; tags?: string[] }>),
  );
  for (const { operationId, security, tags = [] } of operations) {
    expect(operationId).toMatch(/^[a-z]\w+$/);
    expect(security, operationId).toBeInstanceOf(Array);
    for (const tag of tags) expect(described).toContain(tag);
  }
  expect(testDocument.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
});

test('the advice distinguishes each case from the others of its status', () => {
  for (const { status, sign } of ERROR_GUIDE) {
    const same = ERROR_GUIDE.filter((row) => row.status === status);
    if (same.length > 1) expect(sign).not.toBeNull();
    expect(same.filter((row) => row.sign === sign)).toHaveLength(1);
  }
});

test('what a tag says and what its text says agree', () => {
  const of = (code: OutcomeCode) => ERROR_GUIDE.filter(({ codes }) => codes.includes(code));
  for (const code of ['unlinked', 'cancelled_by_caller', 'cancelled_by_person'] as const)
    expect(of(code).map(({ sign }) => sign?.startsWith('Retry-After'))).toEqual([false]);
  expect(of('cancelled_by_person')[0]?.next).not.toContain('link or release');
  expect(of('not_cancellable').map(({ who }) => who)).toEqual(['nobody']);
  expect(of('hung_up').map(({ who }) => who)).toEqual(['repeat']);
  expect(of('send_failed')[0]).toMatchObject({
    who: 'person',
    next: expect.stringMatching(/never sends twice.*its own ID.*do not repeat it in a loop/),
  });
  expect(ERROR_GUIDE.find(({ status }) => status === 202)?.who).toBe('ask');
});

test('a new key is advised only for another message, and for an unknown one that is not in the chat', () => {
  const newKey = ERROR_GUIDE.filter(({ next }) => /\bnew Idempotency-Key/.test(next));
  expect(newKey.map(({ codes, key }) => [codes, key])).toEqual([
    [['idempotency_key_reused'], 'new'],
    [['send_unknown'], 'ask'],
  ]);
  expect(newKey[1]?.next).toContain(
    'Only if the message is not there, send it with a new Idempotency-Key, or press Send again',
  );
  for (const { key, next, sent } of ERROR_GUIDE) {
    if (sent === 'yes' || sent === 'waits') expect(key).toBe('none');
    expect(next).not.toMatch(/with a new (key|one)/i);
  }
});

test('two rows with the same codes differ in the first words of their meaning', () => {
  const begins = new Map<string, Set<string>>();
  for (const { status, codes, meaning } of ERROR_GUIDE) {
    if (codes.length === 0) continue;
    const name = `${status} ${codes[0]}`;
    const first = meaning.split(' ')[0] ?? '';
    const seen = begins.get(name) ?? new Set();
    expect([...seen], meaning).not.toContain(first);
    begins.set(name, seen.add(first));
  }
});
