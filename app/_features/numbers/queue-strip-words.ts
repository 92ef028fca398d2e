import { plural } from '#app/_components/ui/plural.ts';

/** Texts of the drawing, which loads when messages wait. */
export const queueStrip = {
  now: 'Now',
  sync: 'Caller waits',
  async: 'Async',
  later: (count: number) => plural(count, 'leaves later', 'leave later'),
} as const;
