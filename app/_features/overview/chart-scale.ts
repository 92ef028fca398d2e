type Unit = 'hour' | 'day';

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });

/** One label for this many hours or days. The current hour or day has its own label. */
const STEPS = { '24h': 6, '7d': 1, '30d': 7, '90d': 21 } as const;

/** The labels of an axis, by the index of their row. `at`: an hour or a day without a zone, as counted. */
export function axisOf(
  rows: readonly { at: string }[],
  range: keyof typeof STEPS,
): { index: number; label: string }[] {
  const step = STEPS[range];
  const label = (at: string) =>
    range === '24h' ? at.slice(11) : (range === '7d' ? weekday : dayMonth).format(new Date(at));
  return rows.flatMap(({ at }, index) =>
    index % step === 0 && index < rows.length - Math.ceil(step / 2) ? [{ index, label: label(at) }] : [],
  );
}

/** An hour or a day in words. */
export function timeOf(at: string, unit: Unit): string {
  const date = day.format(new Date(at));
  return unit === 'hour' ? `${date}, ${at.slice(11)}` : date;
}

/** The smallest readable multiple of three steps that is at least `value`. */
export function niceTop(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [3, 6, 15]) if (step * unit >= value) return step * unit;
  }
}
