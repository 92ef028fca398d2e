import type { OpenAPIObject } from 'trpc-openapi';
import { accessMessage } from '#server/core/access.ts';
import { LIMITS } from '#server/core/limits.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { notConnectedError } from '#server/core/number-status-errors.ts';
import { API_ERROR_CODES, OUTCOMES, outcomeOf } from '#server/core/outcomes.ts';
import { unknownOutcome } from '#server/messages/answer-for.ts';
import { ANSWER_HEADERS, ERROR_GUIDE } from './error-guide.ts';
import { bodyTooLarge } from './read-limited.ts';

type Components = NonNullable<OpenAPIObject['components']>;
type Responses = NonNullable<Components['responses']>;
type Schema = NonNullable<Components['schemas']>[string];
type Headers = NonNullable<Components['headers']>;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

interface ErrorAnswerEntry {
  name: string;
  headers: readonly AnswerHeader[];
  /** A sentence that answers of this status contain. */
  example: string;
}

const RATE = ['RateLimit', 'RateLimit-Policy'] as const;
const SEND = ['X-Message-Id', 'X-Send-Outcome', 'Idempotency-Replayed'] as const;

/** The errors of the API by status. */
export const ERROR_ANSWERS = {
  400: {
    name: 'BadRequest',
    headers: [...RATE, ...SEND, 'X-Message-Status', 'Retry-After'],
    example: 'body is missing. Send the text of the message.',
  },
  401: { name: 'Unauthorized', headers: [...RATE, ...SEND], example: OUTCOMES.unauthorized.says.noKey },
  402: { name: 'PlanInactive', headers: [...RATE, ...SEND], example: accessMessage('none') },
  404: { name: 'NotFound', headers: [...RATE, ...SEND], example: OUTCOMES.instance_not_found.says },
  409: {
    name: 'NotConnected',
    headers: [...RATE, ...SEND, 'X-Number-Status', 'X-Message-Status', 'Retry-After'],
    example: notConnectedError({ status: 'LOGGED_OUT' }).message,
  },
  413: {
    name: 'TooLarge',
    headers: [...RATE, ...SEND],
    example: bodyTooLarge(LIMITS.requestBytesMax).message,
  },
  429: {
    name: 'TooMany',
    headers: [...RATE, ...SEND, 'X-Limit', 'Retry-After'],
    example: OUTCOMES.rate_limited.says.account(1, 60),
  },
  500: { name: 'Fault', headers: [...RATE], example: OUTCOMES.internal.says.answer },
  502: {
    name: 'SendFailed',
    headers: [...RATE, ...SEND],
    example: unknownOutcome('msg_01kam2x8q0v3h7t5n9c4w6r1e2').message,
  },
  503: {
    name: 'Unavailable',
    headers: [...RATE, ...SEND, 'Retry-After'],
    example: OUTCOMES.unavailable.says.database.answer,
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

/** The components that the references point to. */
export function answerComponents(): { responses: Responses; headers: Headers } {
  const responses: Responses = {};
  for (const [status, { name, headers, example }] of Object.entries(ERROR_ANSWERS)) {
    responses[name] = {
      description: descriptionOf(Number(status)),
      headers: headerRefs(['X-Error-Code', ...headers]),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: { success: false, error: example },
        },
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
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

/** The cases of a status, as the error guide has them. */
function descriptionOf(status: number): string {
  return ERROR_GUIDE.filter((row) => row.status === status)
    .map(({ sign, meaning }) => (sign === null ? meaning : `${sign}: ${meaning}`))
    .join('\n\n');
}

const LIMIT_NAMES = [
  ...new Set(Object.values(OUTCOMES).flatMap((outcome) => ('limit' in outcome ? outcome.limit : []))),
];

const HEADER_SCHEMAS: Partial<Record<AnswerHeader, Schema>> = {
  'Retry-After': { type: 'integer', minimum: 1 },
  'X-Waited': { type: 'integer', minimum: 0 },
  'Idempotency-Replayed': { type: 'string', enum: ['true'] },
  'X-Limit': { type: 'string', enum: LIMIT_NAMES },
  'X-Error-Code': {
    type: 'string',
    enum: [...API_ERROR_CODES],
    // For generated clients: with the other codes the message was definitely not sent.
    'x-may-be-sent': API_ERROR_CODES.filter((code) => outcomeOf(code).mayBeSent),
  },
  'X-Message-Status': { type: 'string', enum: [...MESSAGE_STATUSES] },
  'X-Send-Outcome': { type: 'string', enum: ['not_sent', 'unknown'] },
};
