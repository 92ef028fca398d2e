import fs from 'node:fs';
import path from 'node:path';
import { stripTypes } from '#server/platform/strip-types.ts';

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
    (name) => [name, stripTypes(fs.readFileSync(path.join(DIRECTORY, name), 'utf8'))] as const,
  );
  const html = fs.readFileSync(path.join(DIRECTORY, 'index.html'), 'utf8');
  return { html: (version) => html.replaceAll('{build}', version), modules: new Map(modules) };
}
