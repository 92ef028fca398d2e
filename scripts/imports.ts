/** The imports of the product's files, without tests, from the parser. */
import fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = path.join(import.meta.dirname, '..');
const TOPS = ['app', 'server', 'worker'];
const NO_PRODUCT = /\.test\.tsx?$|(^|\/)testing|\/demo\//;

/** `to` is one of our files, relative to the checkout, or the name of a package. */
export interface Import {
  from: string;
  to: string;
}

/** The product's files of TypeScript, relative to the checkout. */
export function productFiles(): string[] {
  return TOPS.flatMap((top) =>
    fs
      .readdirSync(path.join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(top, name))
      .filter((file) => /\.tsx?$/.test(file) && !NO_PRODUCT.test(file)),
  );
}

/** Every import, those of types included. */
export function importsOfProduct(): Import[] {
  return productFiles().flatMap((from) =>
    specifiersIn(from).map((specifier) => ({ from, to: targetOf(specifier, from) })),
  );
}

function specifiersIn(file: string): string[] {
  const source = fs.readFileSync(path.join(ROOT, file), 'utf8');
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((e) => e.moduleRequest?.value ?? [])),
    ...module.dynamicImports
      .map(({ moduleRequest: { start, end } }) => source.slice(start, end))
      .filter((request) => /^'[^']+'$/.test(request))
      .map((request) => request.slice(1, -1)),
  ];
}

function targetOf(specifier: string, from: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  return specifier;
}
