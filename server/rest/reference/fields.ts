import type { OpenAPIObject } from 'trpc-openapi';

type Schemas = NonNullable<OpenAPIObject['components']>['schemas'];

/** The parts of a JSON Schema that the API's document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
}

/** A field of a body, an answer, a path or a query, as the reference shows it. */
export interface Field {
  name: string;
  /** Such as `string`, `integer or null` or `array of objects`. */
  type: string;
  required: boolean;
  /** Such as `at most 8,000 characters`; null without limits. */
  limits: string | null;
  description: string | null;
  /** The only values that it can have; empty if other values are possible. */
  values: string[];
  /** The fields of an object, or of the objects in an array. */
  fields: Field[];
}

/** The schema that a reference names. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : resolve((schemas?.[name] ?? {}) as Schema, schemas);
}

/** The fields of an object, in the document's order. */
export function fieldsOf(schema: Schema, schemas: Schemas): Field[] {
  const { properties = {}, required = [] } = resolve(schema, schemas);
  return Object.entries(properties).map(([name, one]) =>
    fieldOf(name, one, { required: required.includes(name), schemas }),
  );
}

export function fieldOf(
  name: string,
  given: Schema,
  { required, schemas }: { required: boolean; schemas: Schemas },
): Field {
  const { schema, nullable } = withoutNull(resolve(given, schemas), schemas);
  const items = schema.items && resolve(schema.items, schemas);
  const values = schema.enum ?? items?.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return {
    name,
    type: typeOf(schema, items) + (nullable ? ' or null' : ''),
    required,
    limits: limitsOf(schema),
    description: given.description ?? schema.description ?? null,
    values: values.map(String),
    fields: fieldsOf(items ?? schema, schemas),
  };
}

/** `type: [string, null]` and `anyOf: [string, null]` are a string that may be null. */
function withoutNull(schema: Schema, schemas: Schemas): { schema: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { schema: { ...schema, type: types.join(' or ') }, nullable: types.length < schema.type.length };
  }
  if (!schema.anyOf) return { schema, nullable: false };
  const others = schema.anyOf.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (!only || others.length > 1) return { schema, nullable: others.length < schema.anyOf.length };
  return { schema: { ...schema, ...resolve(only, schemas) }, nullable: others.length < schema.anyOf.length };
}

const FORMATS: Record<string, string> = { 'date-time': 'RFC 3339 time', uri: 'URL' };

function typeOf(schema: Schema, items: Schema | undefined): string {
  if (items) return `array of ${items.properties ? 'objects' : `${items.type ?? 'value'}s`}`;
  const { format, type = typeof (schema.const ?? 'value') } = schema;
  return (format && FORMATS[format]) ?? String(type);
}

function limitsOf(schema: Schema): string | null {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems } = schema;
  const limits = [
    range(minLength, schema.enum || schema.format === 'date-time' ? undefined : maxLength, 'characters'),
    range(minimum ?? exclusiveMinimum, maximum, ''),
    range(minItems, maxItems, 'entries'),
  ];
  return limits.filter((limit) => limit !== null).join(', ') || null;
}

/** A bound as text. The bound that means "no limit" for an integer is left out. */
const bound = (value: number | undefined) =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value.toLocaleString('en');

function range(min: number | undefined, max: number | undefined, unit: string): string | null {
  const [from, to] = [bound(min), bound(max)];
  const text =
    from === undefined || (from === '0' && unit !== '')
      ? to && `at most ${to}`
      : to === undefined
        ? `at least ${from}`
        : from === to
          ? `exactly ${to}`
          : `${from} to ${to}`;
  return text ? `${text} ${unit}`.trimEnd() : null;
}
