import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { loggedError } from './log-error.ts';

test('a failed query is logged with its cause, without its parameters and rows', () => {
  const cause = Object.assign(new Error('null value in column "x"'), {
    code: '23502',
    detail: 'Failing row contains (4915228817386, a secret text)',
  });
  const logged = loggedError(new DrizzleQueryError('insert into messages', ['a secret text'], cause));
  expect(JSON.stringify(logged)).not.toContain('secret');
  expect(JSON.stringify(logged)).not.toContain('4915228817386');
  expect(logged.cause).toMatchObject({ message: 'null value in column "x"', code: '23502' });
  expect(logged.stack).toContain('log-error.test.ts');
});

test('the code that a page shows for its failure is in the log', () => {
  const failed = Object.assign(new Error('no page'), { digest: '557056736', query: 'select 1' });
  expect(loggedError(failed)).toEqual({
    name: 'Error',
    message: 'no page',
    digest: '557056736',
    stack: expect.any(String),
  });
});

test('anything thrown can be logged, also an error that is its own cause', () => {
  const circular = new Error('circle');
  circular.cause = circular;
  expect(loggedError(circular).message).toBe('circle');
  expect(loggedError('a text that may be a key')).toEqual({ name: 'string', message: 'not an Error' });
});

test('an error that repeats a failed query’s text is logged without it', () => {
  const query = Object.assign(new Error('Failed query: insert params: 4915777000111'), {
    query: 'insert',
    params: ['4915777000111'],
  });
  const around = new Error(query.message, { cause: new Error('between', { cause: query }) });
  expect(JSON.stringify(loggedError(around))).not.toContain('4915777000111');
  expect(loggedError(around).message).toBe('a query failed');
});

test('a copied error, as pg-boss emits it, is logged with its message only', () => {
  const failed = Object.assign(new Error('the disk is full'), { code: '53100', detail: 'a secret text' });
  const { message, stack } = failed;
  const emitted = { ...failed, message, stack, queue: 'send.num_1', cause: new Error('no space left') };
  expect(loggedError(emitted)).toEqual({
    name: 'Error',
    message: 'the disk is full',
    code: '53100',
    stack: expect.stringContaining('log-error.test.ts'),
    cause: { name: 'Error', message: 'no space left', stack: expect.any(String) },
  });
});

test.each([
  [
    `Can't send mail - all recipients were rejected: 550 5.1.1 <ann@example.org>: no such user`,
    `Can't send mail - all recipients were rejected: 550 5.1.1 <[recipient]>: no such user`,
  ],
  [
    'Recipient address rejected: ann@example.org, bea@example.org',
    'Recipient address rejected: [recipient], [recipient]',
  ],
  ['wid error: invalid wid 4915228817386@c.us', 'wid error: invalid wid [recipient]'],
  ['no chat "120363041234567890@g.us"', 'no chat "[recipient]"'],
  ['the phone +4915228817386 is unknown, 4915228817387 too', 'the phone [number] is unknown, [number] too'],
  ['127.0.0.1:54321 refused process 1234567', '127.0.0.1:54321 refused process 1234567'],
])('names and addresses in an error are not logged: %s', (message, logged) => {
  expect(loggedError(new Error(message)).message).toBe(logged);
  expect(loggedError(new Error('around', { cause: new Error(message) })).cause?.message).toBe(logged);
});
