import { z } from 'zod';

/** The time zone of somebody's browser. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(
    (zone) => {
      try {
        return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }));
      } catch {
        return false;
      }
    },
    { message: 'The time zone must be one such as Europe/Berlin.' },
  );
