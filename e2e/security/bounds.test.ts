import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '#server/dashboard/router.ts';
import { restRouter } from '#server/rest/router.ts';

type Schema = Record<string, unknown>;

/** Each place of an input that has no maximum length: its path and its type. */
function unboundedIn(schema: Schema, at = 'input'): string[] {
  const parts = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (list as Schema[]) ?? []);
  if (parts.length > 0) return parts.flatMap((part) => unboundedIn(part, at));
  if ('const' in schema || 'enum' in schema || '$ref' in schema)
    return '$ref' in schema ? [`${at}: recursive`] : [];
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (types.length > 1) return types.flatMap((type) => unboundedIn({ ...schema, type }, at));
  switch (types[0]) {
    case 'string':
      return typeof schema.maxLength === 'number' ? [] : [`${at}: a string`];
    case 'array':
      return [
        ...(typeof schema.maxItems === 'number' ? [] : [`${at}: an array`]),
        ...unboundedIn((schema.items ?? {}) as Schema, `${at}[]`),
      ];
    case 'object': {
      const more = schema.additionalProperties;
      const isRecord = more !== undefined && more !== false;
      return [
        ...Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, value]) =>
          unboundedIn(value, `${at}.${name}`),
        ),
        ...(isRecord && typeof schema.maxProperties !== 'number' ? [`${at}: a record`] : []),
        ...(isRecord ? unboundedIn((schema.propertyNames ?? {}) as Schema, `${at} name`) : []),
        ...(isRecord ? unboundedIn(more as Schema, `${at}.*`) : []),
      ];
    }
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return [];
    default:
      return [`${at}: anything`];
  }
}

const unbounded = (schema: z.ZodType) =>
  unboundedIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);

interface Walked {
  name: string;
  inputs: z.ZodType[];
}

function walk(router: string, procedures: object): Walked[] {
  return Object.entries(procedures).map(([path, procedure]) => ({
    name: `${router} ${path}`,
    inputs: (procedure as { _def: { inputs: z.ZodType[] } })._def.inputs,
  }));
}

const WALKED = [...walk('dashboard', appRouter._def.procedures), ...walk('rest', restRouter._def.procedures)];

describe('every input of every procedure has a maximum length', () => {
  test.each(WALKED)('$name', ({ inputs }) => {
    expect(inputs.flatMap(unbounded)).toEqual([]);
  });

  test('a try-out request has as many fields as declared', async () => {
    const [schema] = WALKED.find(({ name }) => name === 'dashboard messages.tryIt')?.inputs ?? [];
    const withFields = (count: number) =>
      schema?.safeParse({
        numberId: 'num_1',
        type: 'text',
        request: Object.fromEntries(Array.from({ length: count }, (_, i) => [`field-${i}`, 'x'])),
        async: false,
      }).success;
    expect([withFields(20), withFields(21)]).toEqual([true, false]);
  });

  test('covers every procedure, and would notice a missing one', () => {
    expect(WALKED.length).toBeGreaterThan(70);
    expect(WALKED.filter(({ inputs }) => inputs.length > 0).length).toBeGreaterThan(45);
    for (const schema of [
      z.object({ a: z.string() }),
      z.object({ a: z.string().regex(/^a*$/).nullish() }),
      z.object({ a: z.iso.datetime() }),
      z.object({ a: z.array(z.number()) }),
      z.object({ a: z.array(z.string()).max(3) }),
      z.object({ a: z.record(z.string().max(3), z.number()) }),
      z.object({ a: z.record(z.string(), z.number()).meta({ maxProperties: 3 }) }),
      z.object({ a: z.unknown() }),
      z.union([z.number(), z.object({ a: z.object({ b: z.string().min(2) }) })]),
    ])
      expect(unbounded(schema)).toHaveLength(1);
    expect(unbounded(z.object({ a: z.string().max(3).trim(), b: z.enum(['x']).optional() }))).toEqual([]);
  });
});
