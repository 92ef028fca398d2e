/** A time zone in which it is this hour now, so that a night's story is read with the times of a night. */
export function zoneAtHour(hour: number): string {
  const now = new Date();
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now));
  return Intl.supportedValuesOf('timeZone').find((zone) => hourIn(zone) === hour) ?? 'UTC';
}

/** The day this many days from now in UTC, as `YYYY-MM-DD`. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
