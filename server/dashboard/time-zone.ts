import { z } from 'zod';
import { TIME_ZONE_HINT } from '#server/accounts/account-settings.ts';

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
    { message: TIME_ZONE_HINT },
  );
