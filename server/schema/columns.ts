import { sql } from 'drizzle-orm';
import { customType, text, timestamp } from 'drizzle-orm/pg-core';
import { type OutcomeFact, parseOutcome } from '#server/core/message-outcome.ts';
import { type Cause, parseCause } from '#server/core/number/cause.ts';
import { type OutcomeCode, parseOutcomeCode } from '#server/core/outcomes.ts';

/** A point in time, to the millisecond, read as a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** When the row was made, on the database's clock. */
export const createdAt = () => instant('created_at').notNull().default(sql`clock_timestamp()`);

/** A prefixed public id, see `server/core/id.ts`. */
export const publicId = () => text('id').primaryKey();

/** An outcome's code. A code of another version reads as `send_failed`. */
export const outcomeCode = customType<{ data: OutcomeCode; driverData: string }>({
  dataType: () => 'text',
  fromDriver: parseOutcomeCode,
});

/** Why a message ended, beside its code. A fact of a later version reads as null. */
export const outcomeFact = customType<{ data: OutcomeFact | null; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (given) => JSON.stringify(given),
  fromDriver: parseOutcome,
});

/** Why a number is in its state. A cause of a later version reads as null. */
export const cause = customType<{ data: Cause | null; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (given) => JSON.stringify(given),
  fromDriver: parseCause,
});

/** Binary data, read as a Buffer. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
