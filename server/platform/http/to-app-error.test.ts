import { TRPCError } from '@trpc/server';
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { errorHeaders } from './error-answer.ts';
import { toAppError } from './to-app-error.ts';

const coded = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });

test('an AppError stays the same, however deeply it is nested', () => {
  const error = new AppError('not_found', 'There is none.');
  expect(toAppError(error)).toBe(error);
  expect(toAppError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error }))).toBe(error);
});

test.each([
  coded('CONNECT_TIMEOUT'),
  coded('CONNECTION_CLOSED'),
  coded('CONNECTION_ENDED'),
  coded('ECONNREFUSED', { syscall: 'connect' }),
  coded('ECONNRESET', { syscall: 'read' }),
  coded('57P01'),
  coded('57014'),
  coded('08006'),
  coded('53300'),
  coded('57P03'),
  coded('57P05'),
  coded('25006'),
  new DrizzleQueryError('select', [], coded('CONNECTION_CLOSED')),
])('$code is reported as an unreachable database', (thrown) => {
  const error = toAppError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: thrown }));
  expect(error.code).toBe('unavailable');
  expect(error.message).toBe(OUTCOMES.unavailable.says.database.answer);
  expect(errorHeaders(error)).toEqual({
    'X-Error-Code': 'unavailable',
    'Retry-After': expect.stringMatching(/^(5|30)$/),
  });
});

test.each([
  coded('EMFILE', { syscall: 'connect' }),
  coded('ENFILE', { syscall: 'open' }),
  coded('EMFILE', { syscall: 'spawn' }),
  new DrizzleQueryError('select', [], coded('EMFILE', { syscall: 'connect' })),
])('$code, too many open files, is reported as such', (thrown) => {
  const error = toAppError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: thrown }));
  expect(error.message).toBe(
    'The service has too many open files and connections. Nothing was accepted. Retry the request shortly.',
  );
  expect(errorHeaders(error)).toEqual({ 'X-Error-Code': 'unavailable', 'Retry-After': '5' });
});

test.each([
  coded('40001'),
  coded('25P03'),
  coded('25P04'),
  coded('40P01'),
  new DrizzleQueryError('update', [], coded('40P01')),
])(
  '$code, a transaction that was rolled back because of others, is reported as a busy database',
  (thrown) => {
    const error = toAppError(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: thrown }));
    expect(error.code).toBe('unavailable');
    expect(error.message).toBe(OUTCOMES.unavailable.says.databaseBusy.answer);
    expect(errorHeaders(error)).toEqual({ 'X-Error-Code': 'unavailable', 'Retry-After': '5' });
  },
);

test.each([
  coded('53000'),
  coded('53100'),
  coded('53200'),
  coded('53400'),
  coded('58030'),
  new DrizzleQueryError('insert', [], coded('53100')),
])('$code is reported as a full database', (thrown) => {
  const error = toAppError(thrown);
  expect(error.code).toBe('unavailable');
  expect(error.message).toBe(OUTCOMES.unavailable.says.databaseFull.answer);
  expect(errorHeaders(error)).toEqual({
    'X-Error-Code': 'unavailable',
    'Retry-After': expect.stringMatching(/^(5|30)$/),
  });
});

test.each([
  [
    coded('CONNECT_TIMEOUT'),
    'The service cannot reach its database right now. Nothing was saved. Try again shortly.',
  ],
  [coded('53100'), 'The service’s database is full. Nothing was saved. Try again later.'],
  [
    coded('POOL_BUSY'),
    'The service received too many requests at once. Nothing was saved. Try again shortly.',
  ],
])('a page reads of $code that nothing was saved', (thrown, sentence) => {
  expect(toAppError(thrown, 'page').message).toBe(sentence);
});

test('a wait for a free connection is reported as too many requests, not as an unreachable database', () => {
  const error = toAppError(coded('POOL_BUSY'));
  expect(error.code).toBe('rate_limited');
  expect(errorHeaders(error)).toEqual({
    'X-Error-Code': 'rate_limited',
    'X-Limit': 'rate',
    'Retry-After': expect.stringMatching(/^[2-6]$/),
  });
});

test.each([
  new Error('secret'),
  coded('42P01'),
  // It may have committed.
  coded('40003'),
  coded('ENOENT', { syscall: 'open' }),
  'a thrown text',
  undefined,
  { code: 'CONNECTION_CLOSED' },
])('%s is an internal error, with the cause for the log only', (thrown) => {
  const error = toAppError(thrown);
  expect(error.code).toBe('internal');
  expect(error.message).toBe(OUTCOMES.internal.says.answer);
  expect(error.cause).toBe(thrown);
});
