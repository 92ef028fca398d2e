/**
 * `npm run db:transitions`: writes the legal transitions of a message into the trigger that refuses all others, from
 * the table of the core. A test keeps both equal.
 */
import fs from 'node:fs';
import path from 'node:path';
import { TRANSITIONS } from '../server/core/message-state.ts';

const FILE = path.join(import.meta.dirname, '../drizzle/triggers.sql');
const PAIRS = /(?<=\(OLD\.status, NEW\.status\) IN \(\n)[^;]*?(?=\n {2}\) THEN\n)/;

/** `triggers.sql` with the transitions of the core: the pairs of each state are a line. */
export function withTransitions(text: string): string {
  if (!PAIRS.test(text)) throw new Error('triggers.sql has no place for the transitions');
  const lines = Object.entries(TRANSITIONS)
    .filter(([, all]) => all.length > 0)
    .map(([from, all]) => `    ${all.map((to) => `('${from}', '${to}')`).join(', ')}`);
  return text.replace(PAIRS, lines.join(',\n'));
}

if (import.meta.main) fs.writeFileSync(FILE, withTransitions(fs.readFileSync(FILE, 'utf8')));
