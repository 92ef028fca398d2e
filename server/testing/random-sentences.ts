import path from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Not the engine and the sandbox: what they send into a page has no module of ours. */
const PRODUCT = /^(app|server|worker\/(numbers|jobs|webhooks|profiles))\//;
const NO_PRODUCT = /\.test\.tsx?$|\/testing\/|^server\/(start\/|settings)/;
/** Three words or more with an end, or the end of one sentence and the beginning of the next. */
const SENTENCE = /^[\s“]*[A-Z“$].*\S+ \S+ .*[.!?”]$|[a-z)][.:] [A-Z]/s;
const SQL = /\b(select|insert|update|alter|exists|case when|set) .*[=(]|clock_timestamp|::/s;
/** Another text each time. */
export const ANY_SENTENCE = "('A random sentence ' + Math.random() + '.')";

interface Node {
  type: string;
  start: number;
  end: number;
}
type Fields = Node & Record<string, unknown>;

/**
 * Each sentence of the product becomes another random text whenever it is evaluated, so what reads a sentence back or
 * compares it decides at random. A plugin for Vite.
 */
export function randomSentences() {
  return {
    name: 'random-sentences',
    enforce: 'pre' as const,
    transform(code: string, id: string): string | null {
      const file = path.relative(ROOT, id.split('?')[0] ?? id);
      return PRODUCT.test(file) && !NO_PRODUCT.test(file) ? withoutSentences(file, code) : null;
    },
  };
}

/** A module with each sentence replaced; null if it has none. */
export function withoutSentences(file: string, code: string): string | null {
  const edits: { from: number; to: number; text: string }[] = [];
  const replace = ({ start, end }: Node, text: string) => edits.push({ from: start, to: end, text });
  const visit = (node: Fields): void => {
    if (
      /^(Import|Export(All|Named))Declaration$|^TS(?!AsExpression|SatisfiesExpression|NonNull)/.test(
        node.type,
      )
    )
      if (!node.declaration) return;
    if (node.type === 'TaggedTemplateExpression' || node.type === 'JSXAttribute') return;
    if (node.type === 'Property' && isSentence(node.value as Fields)) {
      // A table is evaluated once; its getter each time.
      const key = node.key as Node;
      const name = code.slice(key.start, key.end);
      replace(node, `get ${node.computed ? `[${name}]` : name}() { return ${ANY_SENTENCE}; }`);
    } else if (isSentence(node)) replace(node, ANY_SENTENCE);
    else for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseSync(file, code).program as unknown as Fields);
  if (edits.length === 0) return null;
  return edits
    .sort((one, other) => other.from - one.from)
    .reduce((text, { from, to, text: by }) => text.slice(0, from) + by + text.slice(to), code);
}

const isNode = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && 'type' in value;

const isText = (text: string) => SENTENCE.test(text) && !SQL.test(text);

function isSentence(node: Fields): boolean {
  if (node.type === 'Literal') return typeof node.value === 'string' && isText(node.value);
  if (node.type !== 'TemplateLiteral') return false;
  const quasis = node.quasis as { value: { cooked: string } }[];
  return isText(quasis.map(({ value }) => value.cooked).join('$'));
}
