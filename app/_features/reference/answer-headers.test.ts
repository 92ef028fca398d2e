import { expect, test } from 'vitest';
import { openApiDocument } from '#server/rest/openapi.ts';
import { referenceOf } from '#server/rest/reference/operations.ts';
import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { answerHeaders, documentedHeaders } from './answer-headers.ts';

test('an attempt shows every header that the reference names for the endpoint, as the reference spells it', () => {
  const operations = referenceOf(openApiDocument(sampleFiles())).groups.flatMap((group) => group.operations);
  const sendText = operations.find(({ id }) => id === 'sendText');
  if (!sendText) throw new Error('the document does not have sendText');
  const documented = documentedHeaders(sendText);
  expect(documented).toEqual(
    expect.arrayContaining(['X-Send-Outcome', 'X-Error-Code', 'Idempotency-Replayed', 'Retry-After']),
  );
  const answer = new Headers(documented.map((name) => [name, '1']));
  expect(answerHeaders(answer, documented).map(([name]) => name)).toEqual(documented);
});

test('an attempt leaves out all other headers, such as those that protect pages', () => {
  const answer = new Headers({
    ...{ 'content-type': 'application/json', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
    ...{ 'x-send-outcome': 'not_sent', 'idempotency-replayed': 'true' },
  });
  expect(answerHeaders(answer, ['X-Request-Id', 'Idempotency-Replayed', 'X-Send-Outcome'])).toEqual([
    ['Idempotency-Replayed', 'true'],
    ['X-Send-Outcome', 'not_sent'],
  ]);
});
