/**
 * `npm run docs:graph`: draws which part of the code imports which, from the imports themselves, into
 * CONTRIBUTING.md. A test keeps the diagram up to date.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DOMAINS } from './import-rules.ts';
import { importsOfProduct } from './imports.ts';

const FILE = path.join(import.meta.dirname, '../CONTRIBUTING.md');
const BEGIN = '<!-- imports: begin (npm run docs:graph) -->';
const END = '<!-- imports: end -->';

/** Every part imports these; drawn, they would hide the rest. */
const OF_ALL = new Set(['server/core', 'server/schema', 'server/platform']);

/** The box of a file: a folder of `server` or `worker`, `worker` itself, all domains, or `app`; null: none. */
function partOf(file: string): string | null {
  const [top = '', folder = '', ...rest] = file.split('/');
  if (top === 'app') return 'app';
  if (top !== 'server' && top !== 'worker') return null;
  if (rest.length === 0) return top === 'worker' ? 'worker' : null;
  return top === 'server' && DOMAINS.includes(folder) ? 'server/domains' : `${top}/${folder}`;
}

/** The diagram in Mermaid: an arrow points from the importing part to the imported one. */
export function importGraph(): string {
  const edges = new Set<string>();
  const parts = new Set<string>();
  for (const { from: file, to: target } of importsOfProduct()) {
    const from = partOf(file);
    if (from === null) continue;
    parts.add(from);
    const to = partOf(target);
    if (to && to !== from && !OF_ALL.has(to) && !OF_ALL.has(from)) edges.add(`${id(from)} --> ${id(to)}`);
  }
  const group = (top: string) => [
    `  subgraph ${top}`,
    ...[...parts]
      .filter((part) => part.startsWith(`${top}/`) && !OF_ALL.has(part))
      .sort()
      .map((part) => `    ${id(part)}[${part.slice(top.length + 1)}]`),
    ...(parts.has(top) && top === 'worker' ? [`    ${id(top)}[main]`] : []),
    '  end',
  ];
  return [
    'flowchart TD',
    '  app',
    ...group('server'),
    ...group('worker'),
    ...[...edges].sort().map((e) => `  ${e}`),
  ].join('\n');
}

const id = (part: string) => (part === 'worker' ? 'worker_main' : part.replace('/', '_'));

const section = () => `${BEGIN}\n\n\`\`\`mermaid\n${importGraph()}\n\`\`\`\n\n${END}`;

/** CONTRIBUTING.md with the diagram of the current code. */
export function withGraph(text: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end === -1) throw new Error('CONTRIBUTING.md has no place for the picture');
  return text.slice(0, begin) + section() + text.slice(end + END.length);
}

if (import.meta.main) fs.writeFileSync(FILE, withGraph(fs.readFileSync(FILE, 'utf8')));
