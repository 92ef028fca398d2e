import fs from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const DIRECTORY = path.join(import.meta.dirname, 'page');

export interface PageFiles {
  /** The document of a build, by its version. */
  html(version: string): string;
  /** JavaScript by file name, for example `main.ts`: the page imports its modules by their own names. */
  modules: ReadonlyMap<string, string>;
}

/** The page's files, ready for a browser. Types are stripped here once, so the page needs no build step. */
export function loadPage(): PageFiles {
  const names = fs.readdirSync(DIRECTORY).filter((name) => name.endsWith('.ts'));
  const modules = names.map(
    (name) => [name, strip(fs.readFileSync(path.join(DIRECTORY, name), 'utf8'))] as const,
  );
  const html = fs.readFileSync(path.join(DIRECTORY, 'index.html'), 'utf8');
  return { html: (version) => html.replaceAll('{build}', version), modules: new Map(modules) };
}

/** Node warns once that type stripping may change; the Node version is pinned, so operators need not see it. */
function strip(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
