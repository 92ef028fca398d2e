/** What merging needs of a row of the list. */
export interface Placed {
  id: string;
  /** Falls down the list. */
  seq: number;
}

/** Pages of a list as they were read, newest first; `next` is null where the list ends. */
export interface Pages<Row extends Placed> {
  pages: { rows: Row[]; next: number | null }[];
  pageParams: (number | null)[];
}

/**
 * The pages with what the server says of `asked` now: rows that changed take their new form, rows that the
 * filters let through no more are gone, and new ones are in their place. A row that belongs beneath all that
 * was read is left for its page.
 */
export function mergeRows<Row extends Placed>(
  list: Pages<Row>,
  asked: readonly string[],
  answered: readonly Row[],
): Pages<Row> {
  const fresh = new Map(answered.map((row) => [row.id, row]));
  const gone = new Set(asked.filter((id) => !fresh.has(id)));
  const pages = list.pages.map(({ rows, next }) => ({
    next,
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

/** The pages with the newest one as it is now: what is new, and what is gone from its stretch. */
export function mergeNewest<Row extends Placed>(
  list: Pages<Row>,
  newest: Pages<Row>['pages'][number],
): Pages<Row> {
  const known = list.pages.flatMap(({ rows }) => rows);
  const last = newest.rows.at(-1);
  const reaches = newest.next === null || known.some((row) => last !== undefined && row.seq >= last.seq);
  // Between the newest page and what was read there may be more: the list begins again.
  if (!reaches) return { pages: [newest], pageParams: [null] };
  const stretch = known.filter((row) => newest.next === null || (last !== undefined && row.seq >= last.seq));
  return mergeRows(
    list,
    stretch.map((row) => row.id),
    newest.rows,
  );
}
