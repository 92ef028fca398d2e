import { expect, test } from 'vitest';
import { mergeNewest, mergeRows, type Pages } from './merge-rows.ts';

interface Row {
  id: string;
  seq: number;
  status?: string;
}
const row = (seq: number, status = 'sent'): Row => ({ id: `m${seq}`, seq, status });
const read = (...pages: [number[], next: number | null][]): Pages<Row> => ({
  pages: pages.map(([seqs, next]) => ({ rows: seqs.map((seq) => row(seq)), next })),
  pageParams: pages.map(() => null),
});
const seqs = ({ pages }: Pages<Row>) => pages.map(({ rows }) => rows.map(({ seq }) => seq));

test('a changed row is updated in place, and a new row is added at the top', () => {
  const merged = mergeRows(read([[9, 8], 8], [[7, 6], 6]), ['m7', 'm10'], [row(10), row(7, 'read')]);
  expect(seqs(merged)).toEqual([
    [10, 9, 8],
    [7, 6],
  ]);
  expect(merged.pages[1]?.rows[0]?.status).toBe('read');
});

test('a row that no longer matches the filters disappears, and one that now matches appears in order', () => {
  expect(
    seqs(mergeRows(read([[9, 6], 6], [[4, 2], null]), ['m9', 'm7', 'm3', 'm1'], [row(7), row(3), row(1)])),
  ).toEqual([
    [7, 6],
    [4, 3, 2, 1],
  ]);
});

test('a row older than the loaded pages is left to its own page', () => {
  expect(seqs(mergeRows(read([[9, 8], 8]), ['m3'], [row(3)]))).toEqual([[9, 8]]);
});

test('the newest page is merged where it overlaps the loaded rows', () => {
  const newest = { rows: [row(11), row(9), row(7)], next: 7 };
  expect(seqs(mergeNewest(read([[10, 9], 9], [[7, 6], 6]), newest))).toEqual([
    [11, 9],
    [7, 6],
  ]);
});

test('the list starts over where the newest page does not overlap the loaded rows', () => {
  expect(seqs(mergeNewest(read([[5, 4], 4]), { rows: [row(9), row(8)], next: 8 }))).toEqual([[9, 8]]);
});

test('an empty newest page empties the list', () => {
  expect(seqs(mergeNewest(read([[5, 4], null]), { rows: [], next: null }))).toEqual([[]]);
});
