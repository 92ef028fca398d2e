'use client';

import { createContext, useContext, useEffect, useState } from 'react';
import { Tooltip } from './tooltip.tsx';
import { useInBrowser } from './use-in-browser.ts';

const LOCALE = 'en-GB';
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const clockShort = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const dayMonth = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const dayLong = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'long', year: 'numeric' });
const exact = new Intl.DateTimeFormat(LOCALE, {
  dateStyle: 'long',
  timeStyle: 'long',
});

const DAY_MS = 86_400_000;

function sameDay(a: Date, b: Date): boolean {
  return a.toDateString() === b.toDateString();
}

/** `14:05` */
export const minuteOf = (at: Date | number): string => clockShort.format(at);

/** The time, with the day unless it is today; in the viewer's zone. `dated`: always with the date. */
export function shortTime(at: Date, now: Date, { seconds = true, dated = false } = {}): string {
  const time = (seconds && sameDay(at, now) ? clock : clockShort).format(at);
  if (sameDay(at, now) && !dated) return time;
  if (!dated && sameDay(at, new Date(now.getTime() - DAY_MS))) return `Yesterday, ${time}`;
  const year = at.getFullYear() === now.getFullYear() ? '' : ` ${at.getFullYear()}`;
  return `${dayMonth.format(at)}${year}, ${time}`;
}

/** `24 s`, `2 min 13 s`, `3 h 5 min`, `12 days`; without line breaks. */
export function duration(ms: number): string {
  return spaced(ms).replaceAll(' ', '\u00a0');
}

function spaced(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60) return `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const days = Math.floor(hours / 24);
  return days === 1 ? '1 day' : `${days} days`;
}

/** `4:36` */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A `YYYY-MM-DD` date for display; the same day in every zone. */
export function day(date: string): string {
  return dayLong.format(new Date(`${date}T12:00:00`));
}

/** A day in the viewer's zone, as `YYYY-MM-DD`. */
export function dayName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** When the server rendered the page: the first render in the browser must agree with it. */
export const RenderedAt = createContext<string | null>(null);

/** The viewer's clock, updated every `everyMs`. */
export function useNow(everyMs = 1000): Date {
  const renderedAt = useContext(RenderedAt);
  const inBrowser = useInBrowser();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return inBrowser || !renderedAt ? now : new Date(renderedAt);
}

/** A time in the viewer's zone, the exact one on hover or tap. `ago`: the time since then instead. */
export function Time({
  at,
  ago = false,
  seconds = true,
  dated = false,
  millis = false,
  className,
}: {
  at: string | Date;
  ago?: boolean;
  seconds?: boolean;
  /** Its date also if it is today or yesterday. */
  dated?: boolean;
  millis?: boolean;
  className?: string;
}) {
  const inBrowser = useInBrowser();
  const now = useNow(ago ? 1000 : 60_000);
  const date = new Date(at);
  if (!inBrowser) return <time dateTime={date.toISOString()} className={className} />;
  const text = ago
    ? agoText(date, now)
    : shortTime(date, now, { seconds, dated }) +
      (millis ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : '');
  return (
    <Tooltip text={exact.format(date)}>
      <time dateTime={date.toISOString()} className={className}>
        {text}
      </time>
    </Tooltip>
  );
}

function agoText(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime();
  if (ms < 1500) return 'just now';
  return ms < DAY_MS ? `${duration(ms)} ago` : shortTime(at, now, { seconds: false });
}
