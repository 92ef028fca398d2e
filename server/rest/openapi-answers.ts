import type { OpenAPIObject } from 'trpc-openapi';
import { accessMessage } from '#server/core/access.ts';
import { LIMITS } from '#server/core/limits.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { notConnected } from '#server/core/number-words.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { unknownOutcome } from '#server/messages/answer-for.ts';
import { ANSWER_HEADERS } from './error-guide.ts';
import { tooLarge } from './read-limited.ts';

type Components = NonNullable<OpenAPIObject['components']>;
type Responses = NonNullable<Components['responses']>;
type Schema = NonNullable<Components['schemas']>[string];
type Headers = NonNullable<Components['headers']>;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

interface ErrorAnswerEntry {
  name: string;
  description: string;
  headers: readonly AnswerHeader[];
  /** A sentence that this status is really given with. */
  example: string;
}

const RATE = ['RateLimit', 'RateLimit-Policy'] as const;
const SEND = ['X-Message-Id', 'X-Send-Outcome'] as const;

/** The errors of the API by status. */
export const ERROR_ANSWERS = {
  400: {
    name: 'BadRequest',
    description:
      'Invalid parameters. With `X-Send-Outcome` it was accepted first: the file cannot be used, or the recipient is not on WhatsApp. `Retry-After` is there when a repeat can help: the file’s server is away, slow, cut the file off, or answered 5xx, 408, 425 or 429. With `X-Message-Status` the Idempotency-Key already made the message that `X-Message-Id` names, from a different body.',
    headers: [...RATE, ...SEND, 'X-Message-Status', 'Retry-After'],
    example: 'body is missing. Send the text of the message.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing, invalid or revoked.',
    headers: [...RATE, ...SEND],
    example: OUTCOMES.unauthorized.says.noKey,
  },
  402: {
    name: 'PlanInactive',
    description: 'API access is not active for the account.',
    headers: [...RATE, ...SEND],
    example: accessMessage('none'),
  },
  404: {
    name: 'NotFound',
    description: 'The key’s number was removed from the account; or there is no such message or path.',
    headers: [...RATE, ...SEND],
    example: OUTCOMES.instance_not_found.says,
  },
  409: {
    name: 'NotConnected',
    description:
      'The number is not connected. `Retry-After` is there when that mends itself, and when WhatsApp refuses the number until a known time.',
    headers: [...RATE, ...SEND, 'X-Number-Status', 'Retry-After'],
    example: notConnected({ status: 'LOGGED_OUT' }).message,
  },
  413: {
    name: 'TooLarge',
    description: 'The file is over 16 MB, or the JSON body over 256 KiB.',
    headers: [...RATE, ...SEND],
    example: tooLarge(LIMITS.requestBytesMax).message,
  },
  429: {
    name: 'TooMany',
    description:
      'Too many requests, the send queue is full, too many files are waiting, or no new people can be written to. `X-Limit` says which.',
    headers: [...RATE, ...SEND, 'X-Limit', 'Retry-After'],
    example: 'Too many requests. Repeat this one in 1 s; the limit is 60 a minute for this account.',
  },
  500: {
    name: 'Fault',
    description: 'An error on our side.',
    headers: [...RATE],
    example: OUTCOMES.internal.says,
  },
  502: {
    name: 'SendFailed',
    description: 'Sending failed. `X-Send-Outcome` tells whether the message may have left all the same.',
    headers: [...RATE, ...SEND],
    example: unknownOutcome('msg_01kam2x8q0v3h7t5n9c4w6r1e2').message,
  },
  503: {
    name: 'Unavailable',
    description: 'The service is being restarted, cannot reach its database, or has no room for a file.',
    headers: [...RATE, ...SEND, 'Retry-After'],
    example: OUTCOMES.unavailable.says.database,
  },
} as const satisfies Record<number, ErrorAnswerEntry>;

export type ErrorStatus = keyof typeof ERROR_ANSWERS;

export const SEND_ERRORS: readonly ErrorStatus[] = [400, 401, 402, 404, 409, 413, 429, 500, 502, 503];
/** 400: only for plain HTTP from outside. */
export const READ_ERRORS: readonly ErrorStatus[] = [400, 401, 402, 404, 429, 500, 503];

/** The headers as references, by name. `X-Request-Id` is on every answer. */
export function headerRefs(names: readonly AnswerHeader[]): Headers {
  return Object.fromEntries(
    ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The errors among `statuses` as references, by status. */
export function errorRefs(statuses: readonly ErrorStatus[]): Responses {
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { $ref: `#/components/responses/${ERROR_ANSWERS[status].name}` },
    ]),
  );
}

/** The components that the references mean. */
export function answerComponents(): { responses: Responses; headers: Headers } {
  const responses: Responses = {};
  for (const { name, description, headers, example } of Object.values(ERROR_ANSWERS)) {
    responses[name] = {
      description,
      headers: headerRefs(headers),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: { success: false, error: example },
        },
      },
    };
  }
  const headers: Headers = {};
  for (const [name, description] of Object.entries(ANSWER_HEADERS)) {
    headers[name] = {
      description,
      required: name === 'X-Request-Id',
      schema: HEADER_SCHEMAS[name as AnswerHeader] ?? { type: 'string' },
    };
  }
  return { responses, headers };
}

const HEADER_SCHEMAS: Partial<Record<AnswerHeader, Schema>> = {
  'Retry-After': { type: 'integer', minimum: 1 },
  'X-Limit': { type: 'string', enum: ['rate', 'queue', 'deadline', 'media', 'new-contacts'] },
  'X-Message-Status': { type: 'string', enum: [...MESSAGE_STATUSES] },
  'X-Send-Outcome': { type: 'string', enum: ['not_sent', 'unknown'] },
};
