/** The fields of a row that merging needs. */
export interface Placed {
  id: string;
  /** Descends along the list. */
  seq: number;
}

/**
 * The loaded pages of a list, newest first; `next` is null at the end of the list. A page before it may be empty, and
 * then says how far back messages were looked through.
 */
export interface Pages<Row extends Placed> {
  pages: { rows: Row[]; next: number | null; lookedBackTo?: string }[];
  pageParams: (number | null)[];
}

/**
 * The pages with the server's current rows for the ids in `asked`: changed rows are replaced, rows that no
 * longer match the filters are removed, and new rows are inserted. A row below everything that was loaded is
 * left for its page.
 */
export function mergeRows<Row extends Placed>(
  list: Pages<Row>,
  asked: readonly string[],
  answered: readonly Row[],
): Pages<Row> {
  const fresh = new Map(answered.map((row) => [row.id, row]));
  const gone = new Set(asked.filter((id) => !fresh.has(id)));
  const pages = list.pages.map(({ rows, ...page }) => ({
    ...page,
    rows: rows
      .filter((row) => !gone.has(row.id))
      .map((row) => {
        const changed = fresh.get(row.id);
        fresh.delete(row.id);
        return changed ?? row;
      }),
  }));
  for (const row of fresh.values()) {
    const page = pages.find(({ rows, next }) => next === null || (rows.at(-1)?.seq ?? next) < row.seq);
    if (!page) continue;
    const at = page.rows.findIndex(({ seq }) => seq < row.seq);
    page.rows.splice(at === -1 ? page.rows.length : at, 0, row);
  }
  return { ...list, pages };
}

/** The pages with the newest one replaced: adds new rows and removes missing ones. */
export function mergeNewest<Row extends Placed>(
  list: Pages<Row>,
  newest: Pages<Row>['pages'][number],
): Pages<Row> {
  const known = list.pages.flatMap(({ rows }) => rows);
  const last = newest.rows.at(-1);
  const reaches = newest.next === null || known.some((row) => last !== undefined && row.seq >= last.seq);
  // There may be more rows between the newest page and the loaded ones: the list starts over.
  if (!reaches) return { pages: [newest], pageParams: [null] };
  const stretch = known.filter((row) => newest.next === null || (last !== undefined && row.seq >= last.seq));
  return mergeRows(
    list,
    stretch.map((row) => row.id),
    newest.rows,
  );
}
