import { plural } from '#app/_components/ui/plural.ts';

/** Separate from the other words of numbers, because the page of keys needs only these. */
export const intervalTexts = {
  label: 'Interval between messages',
  seconds: (count: number) => (count === 1 ? 'second' : 'seconds'),
  isDefault: 'Default',
  perHour: 'per hour, at most',
  perDay: 'per day, at most',
  atOnce: (count: number) =>
    `${plural(count, 'sync request', 'sync requests')} sent at the same time ${count === 1 ? 'gets' : 'get'} a slot within 40 seconds. The next one is answered with 429 and Retry-After. Async requests can wait longer.`,
  arrive: 'Requests arrive',
  irregular: (seconds: string) => `This number is protected, so the interval varies: ${seconds} seconds.`,
  help: 'A longer interval lowers the risk that WhatsApp blocks the number. It applies to every key of this number, from the next message.',
  save: 'Save',
  undo: 'Undo',
  saved: (seconds: number) => `Interval set to ${seconds} seconds`,
  spoken: (seconds: number, perHour: string) => `${seconds} seconds, ${perHour} messages per hour`,
} as const;
