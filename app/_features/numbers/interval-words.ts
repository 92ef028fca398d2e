/** Separate from the other words of numbers, because the page of keys needs only these. */
export const intervalTexts = {
  label: 'Interval between messages',
  seconds: (count: number) => (count === 1 ? 'second' : 'seconds'),
  isDefault: 'Default',
  perHour: 'per hour, at most',
  perDay: 'per day, at most',
  atOnce: (count: number) =>
    [
      `If your program sends ${Math.max(count, 2)} sync requests at once, ${count === 1 ? 'the first' : 'each'} gets its turn within 40 seconds and its response within 55, so set your client’s timeout to at least 60 seconds.`,
      `The ${count === 1 ? 'second' : 'next one'} gets 429 with Retry-After. Async requests can wait longer.`,
    ].join(' '),
  /** Over the drawing. */
  drawing: (count: number) =>
    count === 1 ? '1 request: when it is sent' : `${count} requests at once: when each is sent`,
  next: 'next: 429',
  irregular: (seconds: string) => `This number is protected, so the interval varies: ${seconds} seconds.`,
  help: 'A longer interval lowers the risk that WhatsApp blocks the number. It applies to every key of this number, from the next message.',
  save: 'Save',
  undo: 'Cancel',
  saved: (seconds: number) => `Interval set to ${seconds} seconds`,
  spoken: (seconds: number, perHour: string) => `${seconds} seconds, ${perHour} messages per hour`,
} as const;
