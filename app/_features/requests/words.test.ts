import { expect, test } from 'vitest';
import { requests } from './words.ts';

test('a request whose body was no JSON, such as a form, is not said to have had none', () => {
  const { noBody } = requests.detail;
  const form = { endpoint: 'POST /messages/text', errorCode: 'invalid_parameters' };
  expect(noBody(form)).toBe(
    'No JSON object arrived: the request had no body, or one of another kind, such as a form.',
  );
  expect(noBody({ endpoint: 'GET /status', errorCode: 'rate_limited' })).toBe('The request had no body.');
  expect(noBody({ endpoint: 'POST /messages/{id}/cancel', errorCode: null })).toBe(
    'The request had no body.',
  );
});
