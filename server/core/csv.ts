/** First characters of a cell that a spreadsheet reads as a formula, in every width. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
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
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
