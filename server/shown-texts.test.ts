import fs from 'node:fs';
import path from 'node:path';
import { getTableColumns, type Table } from 'drizzle-orm';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import * as schema from '#server/schema/index.ts';
import { productFiles } from '../scripts/imports.ts';

/** The columns whose text is a sentence, or a person's or a server's own words: they are shown and never read by code. */
const SHOWN = {
  numbers: ['suspendedReason'],
  numberGroups: ['error'],
  pageBuilds: ['failedCheck'],
  pageBuildKinds: ['failedCheck'],
  processes: ['diskNote'],
  webhookAttempts: ['error', 'answer'],
  requests: ['answer'],
  subscriptions: ['note'],
  payments: ['note'],
  planRequests: ['note', 'contact'],
  invitations: ['note'],
} as const;

const ROOT = path.resolve(import.meta.dirname, '..');
const columns = Object.entries(SHOWN).flatMap(([table, names]) =>
  names.map((name) => {
    const column = getTableColumns((schema as unknown as Record<string, Table>)[table] as Table)[name];
    if (!column) throw new Error(`${table} has no column ${name}`);
    return { property: name, column: column.name };
  }),
);
/** Other values have these names too, so they are only looked for in SQL. */
const COMMON = ['error', 'answer', 'note', 'contact'];
const properties = new Set<string>(
  columns.map(({ property }) => property).filter((name) => !COMMON.includes(name)),
);

/** What takes a text apart, or looks for another one in it. */
const READS =
  /^(at|charAt|endsWith|includes|indexOf|match|matchAll|search|slice|split|startsWith|substring)$/;
const EQUALITY = ['===', '!==', '==', '!='];

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The shown text that an expression is: `build.failedCheck`, `failedCheck`, `build?.failedCheck ?? ''`. */
function shownIn(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Identifier') return properties.has(String(node.name)) ? String(node.name) : undefined;
  if (node.type === 'MemberExpression') return node.computed ? undefined : shownIn(node.property);
  if (/^(Chain|Parenthesized|TSNonNull)Expression$/.test(node.type)) return shownIn(node.expression);
  return node.type === 'LogicalExpression' ? shownIn(node.left) : undefined;
}

const isNothing = (node: unknown) => isNode(node) && node.type === 'Literal' && !node.value;

/** The places where a file compares a shown text with another one, or takes it apart. */
function readsOf(file: string, code: string): string[] {
  const found: string[] = [];
  const note = (node: Node, name: string | undefined) => {
    if (name) found.push(`${file}:${code.slice(0, node.start).split('\n').length} ${name}`);
  };
  const visit = (node: Node): void => {
    if (node.type === 'BinaryExpression' && EQUALITY.includes(String(node.operator)))
      if (!isNothing(node.left) && !isNothing(node.right))
        note(node, shownIn(node.left) ?? shownIn(node.right));
    if (node.type === 'SwitchStatement') note(node, shownIn(node.discriminant));
    if (node.type === 'CallExpression' && isNode(node.callee) && node.callee.type === 'MemberExpression') {
      const { object, property } = node.callee as Node & { property: Node };
      if (READS.test(String(property.name))) note(node, shownIn(object));
      if (/^(test|exec|includes|has)$/.test(String(property.name)))
        note(node, shownIn((node.arguments as unknown[])[0]));
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseSync(file, code).program as unknown as Node);
  const names = [...new Set(columns.map(({ column }) => column).filter((name) => name.includes('_')))].join(
    '|',
  );
  const inSql = new RegExp(
    `\\b(?:substr|substring|split_part|position|strpos|regexp_\\w+|left|right)\\s*\\([^)]*\\b(?:${names})\\b|\\b(?:${names})\\s*(?:~|(?:not )?i?like\\b|in\\s*\\(|<>\\s*'|=\\s*'|==)`,
    'g',
  );
  for (const [text] of code.matchAll(inSql)) found.push(`${file}: ${text}`);
  return found;
}

test('no code of the product reads a text that is stored to be shown', () => {
  const found = productFiles().flatMap((file) =>
    readsOf(file, fs.readFileSync(path.join(ROOT, file), 'utf8')),
  );
  expect(found).toEqual([]);
});

test.each([
  "if (build.failedCheck === 'the gate') stop();",
  "if ('the gate' !== (build?.failedCheck ?? '')) stop();",
  "const isFull = worker.diskNote?.includes('full');",
  'if (/gate/.test(failedCheck)) stop();',
  'switch (row.suspendedReason) { default: stop(); }',
  "const what = failedCheck.split(':')[0];",
  "const full = sql`select 1 from processes where disk_note like 'The disk%'`;",
  "const test = sql`select split_part(b.failed_check, ':', 1)`;",
  "const spam = sql`where n.suspended_reason = 'Spam'`;",
])('reading is found in: %s', (code) => {
  expect(readsOf('example.ts', code)).toHaveLength(1);
});

test.each([
  'if (build.failedCheck !== null) show(build.failedCheck);',
  'const shown = build.failedCheck ?? texts.passed;',
  'update(sql`set failed_check = $1 where failed_check is not null`);',
])('showing and storing is not: %s', (code) => {
  expect(readsOf('example.ts', code)).toEqual([]);
});
