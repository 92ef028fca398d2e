import type { OpenAPIObject } from 'trpc-openapi';
import { EXAMPLE_TO } from '#server/core/examples.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { resolve, type Schema } from './fields.ts';

type Schemas = NonNullable<OpenAPIObject['components']>['schemas'];

export const EXAMPLE_IDS = {
  message: 'msg_01kam2x8q0v3h7t5n9c4w6r1e2',
  endpoint: 'whe_01kam2x8q0v3h7t5n9c4w6r1e2',
} as const;

const TIME = '2026-03-01T08:00:04.120Z';
/** Example values by the name of their field, for fields where a plain value would say nothing. */
const BY_NAME: Record<string, unknown> = {
  to: `${EXAMPLE_TO}@c.us`,
  instance: 'num_01kam2x8q0v3h7t5n9c4w6r1e2',
  phoneNumber: '4915110000001',
  reference: 'order-1042',
  url: 'https://your-server.example/wirebird',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  recipient: EXAMPLE_TO,
  status: 'delivered',
  event: 'delivered',
  error: null,
  errorCode: null,
  next: null,
};
/** The same for one endpoint, where they would contradict each other or its description. */
const OF_ENDPOINT: Record<string, Record<string, unknown>> = {
  '/status': { status: 'CONNECTED' },
  '/number': { status: 'CONNECTED', linkedAt: TIME, protected: false },
  '/recipients/check': { to: EXAMPLE_TO, checkedAt: TIME },
  '/messages/{id}/cancel': {
    status: 'cancelled',
    error: OUTCOMES.cancelled_by_caller.says,
    errorCode: 'cancelled_by_caller',
    sentAt: null,
    deliveredAt: null,
    event: 'cancelled',
  },
};

/** What the example of an endpoint's answer has in its fields, by their names. */
export const exampleFields = (path: string, id: string): Record<string, unknown> => ({
  ...BY_NAME,
  id,
  ...OF_ENDPOINT[path],
});

/** A value that a schema allows, for an answer without its own example. `known`: see {@link exampleFields}. */
export function exampleOf(
  given: Schema,
  schemas: Schemas,
  known: Record<string, unknown>,
  name = '',
): unknown {
  const schema = resolve(given, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.properties) {
    const fields = Object.entries(schema.properties);
    return Object.fromEntries(fields.map(([field, one]) => [field, exampleOf(one, schemas, known, field)]));
  }
  if (schema.items) return [exampleOf(schema.items, schemas, known, name)];
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type);
  const value = known[name];
  if (value !== undefined && fits(value, schema, types)) return value;
  if (types.includes('null') && name !== 'sentAt' && name !== 'deliveredAt') return null;
  if (schema.enum) return schema.enum[0];
  if (schema.format === 'date-time') return TIME;
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0], schemas, known, name);
  if (types.includes('boolean')) return true;
  if (types.includes('integer') || types.includes('number')) return Math.max(1, schema.minimum ?? 1);
  return '…';
}

function fits(value: unknown, schema: Schema, types: string[]): boolean {
  if (value === null) return types.includes('null');
  return schema.enum ? schema.enum.includes(value) : types.includes(typeof value);
}
