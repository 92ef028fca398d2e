import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ofUser } from './users.ts';

/**
 * Browsers and address blocks (hashed) of earlier sign-ins. Attempts of strangers do not delay a sign-in there.
 */
export const knownPlaces = pgTable(
  'known_places',
  {
    /** Hash of the email address, so that no query of `users` is needed. */
    who: text('who').notNull(),
    place: text('place').notNull(),
    userId: ofUser(),
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.who, t.place] }),
    // A new place replaces the user's oldest; a new password deletes them all.
    index('known_places_of_user').on(t.userId, t.seenAt),
  ],
);
