import type { OpenApiMeta, OpenApiMethod } from 'trpc-openapi';
import { restRouter } from './router.ts';

export interface Route {
  method: OpenApiMethod;
  /** Below `/v1`, as trpc-openapi shall read it. */
  path: string;
}

/** Methods by path, for the paths without parameters. */
const fixed = new Map<string, Set<string>>();
/** The others. */
const patterns: { method: OpenApiMethod; form: RegExp; template: string }[] = [];

for (const procedure of Object.values(restRouter._def.procedures)) {
  const { openapi } = procedure._def.meta as OpenApiMeta;
  if (!openapi) throw new Error('a procedure without a path');
  const { method, path } = openapi;
  if (path.includes('{')) {
    patterns.push({ method, form: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), template: path });
  } else {
    fixed.set(path, (fixed.get(path) ?? new Set()).add(method));
  }
}

/** The endpoint that a method and a path below `/v1` name; null when there is none. HEAD is as GET. */
export function findRoute(method: string, path: string): Route | null {
  const asked = method === 'HEAD' ? 'GET' : method;
  const methods = fixed.get(path);
  // A fixed path is never read as a parameter: GET /messages/text is not the message called "text".
  if (methods) return methods.has(asked) ? { method: asked as OpenApiMethod, path } : null;
  const found = patterns.find((pattern) => pattern.method === asked && pattern.form.test(path));
  // The parameter reaches the adapter as one segment, whatever it holds.
  return found ? { method: found.method, path: path.replace(/[^\w./-]/g, encodeURIComponent) } : null;
}

/** The methods that a path below `/v1` takes; empty when it is no endpoint's. */
export function methodsOf(path: string): string[] {
  const methods = fixed.get(path);
  if (methods) return [...methods];
  return patterns.filter(({ form }) => form.test(path)).map(({ method }) => method);
}

/** What a request is counted under: its endpoint, or one name for all that there is not. */
export function routeLabel(method: string, path: string): string {
  const asked = method === 'HEAD' ? 'GET' : method;
  if (fixed.get(path)?.has(asked)) return `${asked} ${path}`;
  const found = patterns.find((pattern) => pattern.method === asked && pattern.form.test(path));
  return found ? `${asked} ${found.template}` : 'other';
}
