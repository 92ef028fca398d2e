import type { OpenApiMeta, OpenApiMethod } from 'trpc-openapi';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { sendPath } from './procedures/send-message.ts';
import { restRouter } from './router.ts';

export interface Route {
  method: OpenApiMethod;
  /** Below `/v1`, in trpc-openapi's form. */
  path: string;
  /** The parameters that it reads from the query. */
  query: readonly string[];
}

/** The query parameters of each method by path, for the paths without parameters. */
const fixed = new Map<string, Map<string, readonly string[]>>();
/** The paths with parameters. */
const patterns: { method: OpenApiMethod; form: RegExp; template: string }[] = [];

/** A segment, but not `.` or `..`, which the adapter's URL parser would apply. */
const PARAMETER = '(?!\\.\\.?(?:/|$))[^/]+';

for (const procedure of Object.values(restRouter._def.procedures)) {
  const { meta, inputs } = procedure._def as { meta: OpenApiMeta; inputs: { shape?: object }[] };
  const { openapi } = meta;
  if (!openapi) throw new Error('a procedure without a path');
  const { method, path } = openapi;
  if (path.includes('{')) {
    const form = new RegExp(`^${path.replace(/\{\w+\}/g, PARAMETER)}$`);
    patterns.push({ method, form, template: path });
  } else {
    const query = method === 'GET' ? Object.keys(inputs[0]?.shape ?? {}) : [];
    fixed.set(path, (fixed.get(path) ?? new Map()).set(method, query));
  }
}

/** The endpoint of a method and a path below `/v1`; null if there is none. HEAD is treated as GET. */
export function findRoute(method: string, path: string): Route | null {
  const asked = method === 'HEAD' ? 'GET' : method;
  const methods = fixed.get(path);
  // A fixed path is never read as a parameter: GET /messages/text is not the message called "text".
  if (methods) {
    const query = methods.get(asked);
    return query ? { method: asked as OpenApiMethod, path, query } : null;
  }
  const found = patterns.find((pattern) => pattern.method === asked && pattern.form.test(path));
  // The parameter reaches the adapter as one segment.
  if (!found) return null;
  return { method: found.method, path: path.replace(/[^\w./-]/g, encodeURIComponent), query: [] };
}

/** The methods of a path below `/v1`; empty if there is no such endpoint. */
export function methodsOf(path: string): string[] {
  const methods = fixed.get(path);
  if (methods) return [...methods.keys()];
  return patterns.filter(({ form }) => form.test(path)).map(({ method }) => method);
}

/** The name under which a request is counted: its endpoint, or one name for all unknown paths. */
export function routeLabel(method: string, path: string): string {
  const asked = method === 'HEAD' ? 'GET' : method;
  if (fixed.get(path)?.has(asked)) return `${asked} ${path}`;
  const found = patterns.find((pattern) => pattern.method === asked && pattern.form.test(path));
  return found ? `${asked} ${found.template}` : 'other';
}

const SEND_PATHS: ReadonlySet<string> = new Set(MESSAGE_TYPES.map(sendPath));

/** Whether a request sends a message. */
export function isSendRoute(method: string, path: string): boolean {
  return method === 'POST' && SEND_PATHS.has(path);
}

/** Whether a request without an endpoint meant to send a message. Its path has the form of a message's own. */
export function isMisspeltKind(method: string, path: string): boolean {
  return method === 'POST' && /^\/messages\/[^/]+$/.test(path) && !SEND_PATHS.has(path);
}
