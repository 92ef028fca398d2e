import type { OpenAPIObject } from 'trpc-openapi';
import { type Advice, ERROR_GUIDE } from '../error-guide.ts';
import { EXAMPLE_IDS, exampleFields, exampleOf } from './example-of.ts';
import { type Field, fieldOf, fieldsOf, resolve, type Schema } from './fields.ts';

export interface ReferenceAnswer {
  status: number;
  description: string;
  /** Names of headers that it may have. */
  headers: string[];
  /** A body as it is sent. */
  example: unknown;
  /** For an error: its cases, each with what to do. */
  cases: readonly Advice[];
  /** The codes of the cases, each once. */
  codes: readonly string[];
}

/** One endpoint, as the reference shows it. */
export interface ReferenceOperation {
  /** The document's `operationId`. */
  id: string;
  /** Its place on the page, such as `post-messages-text`. */
  anchor: string;
  method: string;
  /** Below `/v1`, such as `/messages/{id}`. */
  path: string;
  title: string;
  description: string;
  pathFields: Field[];
  query: Field[];
  /** Names of request headers besides the key. */
  headers: string[];
  body: Field[];
  /** The fields of `data` in a successful answer. */
  data: Field[];
  answers: ReferenceAnswer[];
  /** A request that can be sent as it is, with example values in its path. */
  request: ExampleRequest;
}

export interface ExampleRequest {
  /** The document's `operationId`. */
  operation: string;
  method: string;
  /** Below `/v1`. */
  path: string;
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
}

export interface ReferenceGroup {
  name: string;
  operations: ReferenceOperation[];
}

export interface Reference {
  groups: ReferenceGroup[];
  /** The headers that requests may have, besides the key. */
  requestHeaders: Field[];
}

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
interface Content {
  'application/json'?: { schema: Schema; example?: unknown };
}
interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, unknown>;
  content?: Content;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}

/** The endpoints and the headers of the OpenAPI document, in its order, with what deletes last in its group. */
export function referenceOf(document: OpenAPIObject): Reference {
  const groups = new Map<string, ReferenceOperation[]>();
  const requestHeaders = new Map<string, Field>();
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const [method, given] of Object.entries(item as Record<string, Operation>)) {
      const [tag] = given.tags;
      groups.set(tag, [...(groups.get(tag) ?? []), operationOf(method.toUpperCase(), path, given, document)]);
      for (const header of parametersOf(given, 'header', document)) requestHeaders.set(header.name, header);
    }
  return {
    groups: [...groups].map(([name, operations]) => ({
      name,
      operations: operations.toSorted((one, other) => Number(isDelete(one)) - Number(isDelete(other))),
    })),
    requestHeaders: [...requestHeaders.values()],
  };
}

const isDelete = ({ method }: ReferenceOperation): boolean => method === 'DELETE';

function operationOf(
  method: string,
  path: string,
  operation: Operation,
  document: OpenAPIObject,
): ReferenceOperation {
  const schemas = document.components?.schemas;
  const body = operation.requestBody?.content['application/json'];
  const answers = Object.entries(operation.responses).map(([status, response]) =>
    answerOf(Number(status), response, { path, document }),
  );
  const success = operation.responses['200']?.content?.['application/json'];
  const data = success && resolve(success.schema, schemas).properties?.data;
  const headers = parametersOf(operation, 'header', document).map(({ name }) => name);
  return {
    id: operation.operationId,
    anchor: anchorOf(`${method}${path}`),
    ...{ method, path, title: operation.summary, description: operation.description },
    pathFields: parametersOf(operation, 'path', document),
    query: parametersOf(operation, 'query', document),
    headers,
    body: body ? inBody(fieldsOf(body.schema, schemas)) : [],
    data: data ? fieldsOf(data, schemas) : [],
    answers,
    request: {
      operation: operation.operationId,
      method,
      path: path.replace('{id}', exampleId(path)) + (EXAMPLE_QUERIES[operation.operationId] ?? ''),
      headers: headers.includes('Idempotency-Key')
        ? { 'Idempotency-Key': `order-1042-${path.slice(path.lastIndexOf('/') + 1)}` }
        : {},
      body: (body?.example as Record<string, unknown> | undefined) ?? null,
    },
  };
}

/**
 * Required fields come first. `token` is left out: the key belongs in a header, and the page says once that it may
 * be in the body.
 */
function inBody(fields: Field[]): Field[] {
  const shown = fields.filter(({ name }) => name !== 'token');
  return [...shown.filter(({ required }) => required), ...shown.filter(({ required }) => !required)];
}

const EXAMPLE_QUERIES: Record<string, string> = { listMessages: '?limit=20' };

const exampleId = (path: string) =>
  path.startsWith('/webhooks') ? EXAMPLE_IDS.endpoint : EXAMPLE_IDS.message;

/** A name as part of an address: small letters, digits and single hyphens. */
export const anchorOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function parametersOf(operation: Operation, place: Parameter['in'], document: OpenAPIObject): Field[] {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, description, schema }) =>
      fieldOf(name, description ? { ...schema, description } : schema, {
        required,
        schemas: document.components?.schemas,
      }),
    );
}

function answerOf(
  status: number,
  given: Response,
  { path, document }: { path: string; document: OpenAPIObject },
): ReferenceAnswer {
  const name = given.$ref?.split('/').at(-1);
  const response = name ? (document.components?.responses?.[name] as Response) : given;
  const content = response.content?.['application/json'];
  const example =
    content?.example ??
    (content &&
      exampleOf(content.schema, document.components?.schemas, exampleFields(path, exampleId(path))));
  const cases = status < 400 ? [] : ERROR_GUIDE.filter((advice) => advice.status === status);
  return {
    ...{ status, example, cases },
    description: response.description ?? '',
    headers: Object.keys(response.headers ?? {}),
    codes: [...new Set(cases.flatMap(({ codes }) => codes))],
  };
}
