import fs from 'node:fs';
import { ROWS } from './rows.ts';
import type { RowResult } from './run-row.ts';

interface Line extends RowResult {
  transport: string;
  database: string;
  /** The key field of the simulated page; absent without a browser. */
  keyField?: string | undefined;
  /** The code that ran; absent in older results. */
  commit?: string;
  /** ISO 8601. */
  at?: string;
}

const NOT_NOTED = 'not noted';

/** A file of JSON lines, one for each run of a row. Lines are only added. */
export class Results {
  readonly #file: string;
  readonly #lines: Line[];

  /** `versions`: the code versions whose results count; all by default. */
  constructor(file: string, versions?: ReadonlySet<string>) {
    this.#file = file;
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const all = text.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []));
    this.#lines = versions ? all.filter(({ commit = NOT_NOTED }) => versions.has(commit)) : all;
  }

  add(line: Line): void {
    this.#lines.push(line);
    fs.appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** How often a row passed with these options. */
  passed(wanted: Pick<Line, 'row' | 'transport' | 'database' | 'keyField'>): number {
    return this.#lines.filter(
      (line) =>
        line.error === null &&
        line.row === wanted.row &&
        line.transport === wanted.transport &&
        line.database === wanted.database &&
        line.keyField === wanted.keyField,
    ).length;
  }

  /**
   * All results as a Markdown table, a line for each version of the code. With n passes and no failure the true
   * rate is below 3/n (95 %).
   */
  table(): string {
    const lines = [
      '| fault | transport, database, key field | code | passed | failed | bound at 95 % | seen (caller / stored / delivered) |',
      '|---|---|---|---|---|---|---|',
    ];
    for (const { name, fault } of ROWS) {
      const runs = Map.groupBy(
        this.#lines.filter(({ row }) => row === name),
        ({ transport, database, keyField, commit = NOT_NOTED }) =>
          `${[transport, database, keyField].filter((part) => part).join(', ')} | ${commit}`,
      );
      for (const [where, all] of runs) {
        const passes = all.filter(({ error }) => error === null);
        const failed = all.length - passes.length;
        const bound =
          failed === 0 && passes.length > 0
            ? `≤ ${Number(Math.min(100, 300 / passes.length).toPrecision(2))} %`
            : '–';
        const seen = [...Map.groupBy(passes, ({ seen }) => seen)].map(
          ([what, of]) => `${what} (${of.length})`,
        );
        lines.push(`| ${fault} | ${where} | ${passes.length} | ${failed} | ${bound} | ${seen.join('; ')} |`);
      }
    }
    return lines.join('\n');
  }
}
