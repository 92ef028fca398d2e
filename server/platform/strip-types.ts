import { stripTypeScriptTypes } from 'node:module';

/** TypeScript as a browser reads it, so that what runs there needs no build step. */
export function stripTypes(source: string): string {
  // Node warns once that this may change; the Node version is pinned, so operators need not see it.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
