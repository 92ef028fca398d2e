/** Texts of the drawing, which loads when messages wait. */
export const queueStrip = {
  now: 'Now',
  sync: 'Program is waiting',
  async: 'Async',
  later: (count: number) => `${count} later`,
} as const;
