/** What a soak test concludes from its lines, one per minute. */
export interface Line {
  minute: number;
  /** Figures by name, such as `web.rssMb`; null if it could not be read. */
  figures: Record<string, number | null>;
}

/** Growth is said of what rises by more than this share of its mean during the measured time. */
const NOTABLE = 0.05;
/** Fewer lines show no trend. */
const LINES_MIN = 10;
const WARM_UP_MINUTES = 5;
const GROWTH_FROM_MINUTE = 10;

export interface Slope {
  perHour: number;
  /** Its standard error. */
  error: number;
}

/** The slope of the least squares line through these points; NaN with fewer than three. */
export function slopeOf(points: readonly { minute: number; value: number }[]): Slope {
  const n = points.length;
  const mean = (of: (point: { minute: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / n;
  const [x, y] = [mean(({ minute }) => minute / 60), mean(({ value }) => value)];
  let [xx, xy] = [0, 0];
  for (const { minute, value } of points) {
    xx += (minute / 60 - x) ** 2;
    xy += (minute / 60 - x) * (value - y);
  }
  if (n < 3 || xx === 0) return { perHour: Number.NaN, error: Number.NaN };
  const perHour = xy / xx;
  const rest = points.reduce(
    (sum, { minute, value }) => sum + (value - y - perHour * (minute / 60 - x)) ** 2,
    0,
  );
  return { perHour, error: Math.sqrt(rest / (n - 2) / xx) };
}

/** Numbers of nested objects by their path, such as `web.rssMb`. */
export function flatten(value: unknown, name = ''): Record<string, number | null> {
  if (typeof value === 'number') return { [name]: Number.isFinite(value) ? value : null };
  if (typeof value !== 'object' || value === null) return {};
  const inner = Object.entries(value).map(([key, of]) => flatten(of, name ? `${name}.${key}` : key));
  return Object.assign({}, ...inner);
}

export interface Row {
  start: number | null;
  middle: number | null;
  end: number | null;
  perHour: number | null;
}

/** Each figure after the warm-up, in the middle and at the end, and its slope from minute 10 on. */
export function tableOf(lines: readonly Line[]): Record<string, Row> {
  const last = lines.at(-1);
  if (!last) return {};
  const warm = after(lines, WARM_UP_MINUTES);
  const [first, middle] = [warm[0], warm[Math.floor(warm.length / 2)]];
  const names = new Set(lines.flatMap(({ figures }) => Object.keys(figures)));
  return Object.fromEntries(
    [...names].map((name) => {
      const at = (line: Line | undefined) => rounded(line?.figures[name]);
      const { perHour } = slopeOf(measured(lines, name));
      return [name, { start: at(first), middle: at(middle), end: at(last), perHour: rounded(perHour) }];
    }),
  );
}

/** Whether a figure grew from minute 10 on: clearly more than its noise, and notably. Null: too short to say. */
export function grew(lines: readonly Line[], name: string): boolean | null {
  const points = measured(lines, name);
  if (points.length < LINES_MIN) return null;
  const { perHour, error } = slopeOf(points);
  const mean = points.reduce((sum, { value }) => sum + value, 0) / points.length;
  const hours = ((points.at(-1)?.minute ?? 0) - (points[0]?.minute ?? 0)) / 60;
  return perHour > 2 * error && perHour * hours > NOTABLE * mean;
}

function measured(lines: readonly Line[], name: string): { minute: number; value: number }[] {
  return after(lines, GROWTH_FROM_MINUTE).flatMap(({ minute, figures }) => {
    const value = figures[name];
    return value === null || value === undefined ? [] : [{ minute, value }];
  });
}

/** The lines from a minute on; of a short run, its last two thirds. */
function after(lines: readonly Line[], minute: number): readonly Line[] {
  const long = (lines.at(-1)?.minute ?? 0) >= 2 * minute;
  return long ? lines.filter((line) => line.minute >= minute) : lines.slice(Math.floor(lines.length / 3));
}

function rounded(value: number | null | undefined): number | null {
  if (value === null || value === undefined || !Number.isFinite(value)) return null;
  return Math.round(value * 100) / 100;
}
