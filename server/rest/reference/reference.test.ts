import { expect, test } from 'vitest';
import { API_ERROR_CODES } from '#server/core/outcomes.ts';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { checkerOf } from '#server/testing/openapi-document.ts';
import { openApiDocument } from '../openapi.ts';
import { EVENT_MEANINGS } from './events.ts';
import { type Field, fieldOf, type Schema } from './fields.ts';
import { anchorOf, referenceOf } from './operations.ts';

const document = openApiDocument(sampleFiles());
const { groups, requestHeaders } = referenceOf(document);
const operations = groups.flatMap((group) => group.operations);
const { misfit } = checkerOf(document);

test('every endpoint of the document is there once, under an anchor of its own', () => {
  const paths = Object.entries(document.paths ?? {});
  const all = paths.flatMap(([path, item]) => Object.keys(item).map((method) => `${method}${path}`));
  expect(operations.map(({ anchor }) => anchor).sort()).toEqual(all.map(anchorOf).sort());
  expect(new Set(operations.map(({ anchor }) => anchor)).size).toBe(operations.length);
});

test('every field, parameter and header says what it is', () => {
  const undescribed = (fields: Field[], place: string): string[] =>
    fields.flatMap(({ name, description, fields: within }) => [
      ...(description === null ? [`${place} ${name}`] : []),
      ...undescribed(within, `${place} ${name}`),
    ]);
  const missing = operations.flatMap(({ anchor, pathFields, query, body, data }) =>
    undescribed([...pathFields, ...query, ...body, ...data], anchor),
  );
  expect([...new Set([...missing, ...undescribed(requestHeaders, 'header')])]).toEqual([]);
});

function pointerTo(method: string, path: string, status: number): string[] {
  const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status)];
  const response = document.paths?.[path]?.[method.toLowerCase() as 'get']?.responses?.[String(status)];
  const whole = response?.$ref ? response.$ref.slice(2).split('/') : pointer;
  return [...whole, 'content', 'application/json', 'schema'];
}

test('the example of every answer fits its schema', () => {
  for (const { method, path, answers } of operations)
    for (const { status, example } of answers)
      expect([path, status, misfit(pointerTo(method, path, status), example)]).toEqual([path, status, null]);
});

test('every error names all of its codes, each with what to do', () => {
  const codes = operations.flatMap(({ answers }) =>
    answers.flatMap(({ cases }) => cases.flatMap((one) => one.codes)),
  );
  expect([...new Set(codes)].sort()).toEqual([...API_ERROR_CODES].sort());
  for (const { answers } of operations)
    for (const { status, cases } of answers) expect(cases.length > 0).toBe(status >= 400);
});

test('an answer names each of its codes once', () => {
  for (const { answers } of operations)
    for (const { codes } of answers) expect(new Set(codes).size).toBe(codes.length);
});

test('what deletes comes last in its group', () => {
  for (const { name, operations: ofGroup } of groups) {
    const first = ofGroup.findIndex(({ method }) => method === 'DELETE');
    if (first >= 0)
      expect(
        ofGroup.slice(first).map(({ method }) => method),
        name,
      ).toEqual(['DELETE']);
  }
  expect(groups.find(({ name }) => name === 'Webhooks')?.operations.at(-1)?.id).toBe('deleteWebhook');
});

test('every event has its meaning', () => {
  expect(Object.keys(EVENT_MEANINGS)).toEqual([...EVENT_TYPES]);
});

test.each<[Schema, Partial<Field>]>([
  [
    { type: 'string', maxLength: 128 },
    { type: 'string', limits: 'at most 128 characters' },
  ],
  [{ type: 'string', minLength: 3, maxLength: 9 }, { limits: '3 to 9 characters' }],
  [
    { type: 'integer', minimum: 1, maximum: 86_400 },
    { type: 'integer', limits: '1 to 86,400' },
  ],
  [{ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, { limits: null }],
  [
    { type: ['string', 'null'], format: 'date-time' },
    { type: 'RFC 3339 time or null', limits: null },
  ],
  [
    { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
    { type: 'string or null', values: ['a', 'b'] },
  ],
  [
    { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1, maxItems: 50 },
    { type: 'array of strings', limits: '1 to 50 entries', values: ['a'] },
  ],
])('a field of %j is shown as %j', (schema, shown) => {
  expect(fieldOf('name', schema, { required: true, schemas: {} })).toMatchObject(shown);
});
