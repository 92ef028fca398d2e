import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenAPIObject } from 'trpc-openapi';
import { MESSAGE_TYPES } from '#server/core/message.ts';

interface CheckedAnswer {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** Checks answers against an OpenAPI document, for any test runner. */
export interface DocumentChecker {
  /** Why a value does not match the schema at a JSON pointer of the document; null if it does. */
  misfit(pointer: string[], value: unknown): string | null;
  /** Throws unless the document describes this answer: its status, its body and each of our headers. */
  assertDocumented(method: string, path: string, answer: CheckedAnswer): void;
}

interface Documented {
  pointer: string[];
  headers: string[];
}

const KINDS = MESSAGE_TYPES.join('|');

export function checkerOf(document: OpenAPIObject): DocumentChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();

  function misfit(pointer: string[], value: unknown): string | null {
    const parts = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const ref = `document#/${parts.join('/')}`;
    const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref });
    compiled.set(ref, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  }

  /** Where the document describes an answer; null for an unknown path or method. */
  function documented(method: string, path: string, status: number): Documented | null {
    const bare = path.replace(/\?.*$/, '').replace(/\/+$/, '');
    const template = Object.keys(document.paths ?? {}).find((known) =>
      new RegExp(`^${known.replace(/\{\w+\}/g, `(?!(?:${KINDS})$)[^/]+`)}$`).test(bare),
    );
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = template && document.paths?.[template]?.[verb as 'get' | 'post'];
    if (!template || !operation) return null;
    const response = operation.responses?.[String(status)];
    if (!response) throw new Error(`the document does not describe ${status} for ${method} ${path}`);
    const pointer: string[] = response.$ref
      ? response.$ref.slice(2).split('/')
      : ['paths', template, verb, 'responses', String(status)];
    const target = response.$ref ? document.components?.responses?.[pointer.at(-1) ?? ''] : response;
    const headers = target && 'headers' in target ? Object.keys(target.headers ?? {}) : [];
    return { pointer, headers: headers.map((name) => name.toLowerCase()) };
  }

  function assertDocumented(method: string, path: string, answer: CheckedAnswer): void {
    const name = `${answer.status} to ${method} ${path}`;
    const isProblem = answer.headers['content-type'] === 'application/problem+json';
    if (!isProblem && answer.headers['content-type'] !== 'application/json; charset=utf-8') {
      throw new Error(`${name} is no JSON`);
    }
    if (!/^[\da-f-]{36}$/.test(String(answer.headers['x-request-id']))) {
      throw new Error(`${name} has no X-Request-Id`);
    }
    if (path === '/openapi.json' && answer.status === 200) return;
    const entry = documented(method, path, answer.status);
    const ours = Object.keys(answer.headers).filter((header) =>
      /^(x-(?!content-type)|ratelimit|retry)/.test(header),
    );
    const undocumented = entry ? ours.filter((header) => !entry.headers.includes(header)) : [];
    if (undocumented.length > 0)
      throw new Error(`${name} has headers that are not in the document: ${undocumented}`);
    if (method === 'HEAD') return;
    const schema = entry
      ? [...entry.pointer, 'content', isProblem ? 'application/problem+json' : 'application/json', 'schema']
      : ['components', 'schemas', isProblem ? 'Problem' : 'Error'];
    const wrong = misfit(schema, answer.body);
    if (wrong) throw new Error(`${name} does not fit the document: ${wrong}`);
  }

  return { misfit, assertDocumented };
}
