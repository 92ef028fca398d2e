/** First characters of a cell that a spreadsheet reads as a formula, full-width forms included. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** The same after what separates cells where a comma does not, as in German Excel, which then ignores the quotes. */
const FORMULA_WITHIN = /([;\t\r\n])(?=\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const QUOTED = /[",\r\n]|^\s|\s$/;

export type Cell = string | number | null;

/** A line of a CSV file (RFC 4180) in which no text becomes a formula. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  // An apostrophe marks text; spreadsheets do not show it.
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(FORMULA_WITHIN, "$1'");
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The mark by which spreadsheet programs recognise UTF-8: a file begins with it. */
export const CSV_UTF8 = '\uFEFF';

/** More rows than people open in a spreadsheet; the rest needs narrower filters. */
export const CSV_ROWS_MAX = 100_000;
const CUT = `Only the newest ${CSV_ROWS_MAX.toLocaleString('en')} rows. Narrow the filters to get the others.`;

/** A CSV file's lines, from pages of rows; at most {@link CSV_ROWS_MAX} rows, and then a line that says so. */
export async function* csvFile<Row>(
  head: readonly string[],
  pages: AsyncIterable<readonly Row[]>,
  cellsOf: (row: Row) => readonly Cell[],
): AsyncGenerator<string> {
  yield CSV_UTF8 + csvLine(head);
  let rows = 0;
  for await (const page of pages) {
    for (const row of page.slice(0, CSV_ROWS_MAX - rows)) yield csvLine(cellsOf(row));
    rows += page.length;
    if (rows > CSV_ROWS_MAX) return yield csvLine([CUT]);
  }
}
