import { minuteOf } from '#app/_components/ui/time.tsx';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const whole = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

const DAY_MS = 86_400_000;

const isToday = (at: Date) => at.toDateString() === new Date().toDateString();

/** As in a messenger's list: the time today, the weekday this week, else the day. */
export function clockOrDay(atMs: number): string {
  const at = new Date(atMs);
  if (isToday(at)) return minuteOf(at);
  return (Date.now() - atMs < 6 * DAY_MS ? weekday : dayMonth).format(at);
}

/** The heading above a day's messages. */
export function dayHeading(atMs: number, today: string): string {
  const at = new Date(atMs);
  return isToday(at) ? today : whole.format(at);
}
