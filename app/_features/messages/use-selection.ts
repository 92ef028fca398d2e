import { useCallback, useMemo, useState } from 'react';
import type { MessageRow } from './use-messages.ts';

/** As many as are sent again within a reasonable time, one after another. */
const SELECTED_MAX = 100;

export interface Selection {
  has: (id: string) => boolean;
  /** The selected rows of the list. */
  rows: MessageRow[];
  /** The selection has as many rows as it may have. */
  full: boolean;
  all: boolean;
  select: (ids: readonly string[], on: boolean) => void;
  selectAll: (on: boolean) => void;
}

/** Which messages of a list are selected. */
export function useSelection(rows: MessageRow[]): Selection {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const select = useCallback(
    (ids: readonly string[], on: boolean) =>
      setSelected((before) => {
        const after = new Set(before);
        for (const id of ids) {
          if (!on) after.delete(id);
          else if (after.size < SELECTED_MAX) after.add(id);
        }
        return after;
      }),
    [],
  );
  const chosen = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected]);
  return {
    has: (id) => selected.has(id),
    rows: chosen,
    full: selected.size >= SELECTED_MAX,
    all: chosen.length > 0 && chosen.length === Math.min(rows.length, SELECTED_MAX),
    select,
    selectAll: (on) => select(on ? rows.map(({ id }) => id) : [...selected], on),
  };
}
