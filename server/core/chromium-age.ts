/** Chrome's schedule: a version every four weeks, and every two from this one on. */
const TWO_WEEKS_FROM = { major: 153, at: Date.UTC(2026, 8, 8) };
const WEEK_MS = 7 * 86_400_000;

/** How many weeks ago the major version of this browser came out, by Chrome's schedule; null if it is not known. */
export function chromiumAgeWeeks(version: string | null, now: number): number | null {
  const major = Number.parseInt(version ?? '', 10);
  if (Number.isNaN(major)) return null;
  const since = major - TWO_WEEKS_FROM.major;
  const releasedAt = TWO_WEEKS_FROM.at + since * (since < 0 ? 4 : 2) * WEEK_MS;
  return Math.max(0, Math.round((now - releasedAt) / WEEK_MS));
}
