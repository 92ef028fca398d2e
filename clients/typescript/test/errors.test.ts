import { expect, test } from 'vitest';
import { API_ERROR_CODES, outcomeOf } from '../../../server/core/outcomes.ts';
import { type ErrorCode, errors, WirebirdError } from '../src/index.ts';

test('there is a class for each error code of the API, with its own word about what was sent', () => {
  const own = ['no_answer', 'unexpected_answer', 'aborted'];
  expect(Object.keys(errors).sort()).toEqual([...API_ERROR_CODES, ...own].sort());
  for (const code of API_ERROR_CODES) {
    const error = new errors[code as ErrorCode](code as never, 'A sentence.', {});
    expect(error).toBeInstanceOf(WirebirdError);
    expect([code, error.code, error.mayBeSent]).toEqual([code, code, outcomeOf(code).mayBeSent ?? false]);
  }
});
