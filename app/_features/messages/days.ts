import { dayName } from '#app/_components/ui/time.tsx';

/** Days that are chosen most often. They move with the calendar, so that a saved view stays current. */
export const PRESETS = ['today', 'yesterday', '7', '30'] as const;
type Preset = (typeof PRESETS)[number];

/** First and last day, `YYYY-MM-DD` in the viewer's zone; empty is open. */
export interface Days {
  first: string;
  last: string;
}

const DAYS = /^(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?$/;
const exists = (date: string) => !Number.isNaN(Date.parse(date));

export const isPreset = (text: string): text is Preset => (PRESETS as readonly string[]).includes(text);

/** Parses `2026-03-01..2026-03-05`, either end of which can be left out; null if it is no such text. */
export function parseDays(text: string): Days | null {
  const [, first = '', last = ''] = DAYS.exec(text) ?? [];
  const given = [first, last].filter((date) => date !== '');
  return given.length > 0 && given.every(exists) ? { first, last } : null;
}

/** The reverse of {@link parseDays}; undefined when both ends are open. */
export const writeDays = ({ first, last }: Days): string | undefined =>
  first || last ? `${first}..${last}` : undefined;

/** The days of a preset or of a text that {@link parseDays} reads. */
export function daysOf(text: string, now: Date): Days | null {
  if (!isPreset(text)) return parseDays(text);
  const before = (days: number) => dayName(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));
  if (text === 'yesterday') return { first: before(1), last: before(1) };
  return { first: before(text === 'today' ? 0 : Number(text) - 1), last: before(0) };
}

/** The times for the server: a day begins and ends with the viewer's midnight, however long it is. */
export function timesOf({ first, last }: Days): { since?: string; until?: string } {
  return {
    ...(first && { since: midnight(first, 0) }),
    ...(last && { until: midnight(last, 1) }),
  };
}

function midnight(date: string, later: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(year, month - 1, day + later).toISOString();
}
