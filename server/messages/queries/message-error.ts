import { sql } from 'drizzle-orm';
import { type MessageOutcome, parseOutcome, sayOutcome } from '#server/core/message-outcome.ts';
import { parseOutcomeCode } from '#server/core/outcomes.ts';
import { messages } from '#server/schema/index.ts';
import { settings } from '#server/settings.ts';

/** A message's outcome as a sentence for its sender. */
export const outcomeText = (outcome: MessageOutcome) => sayOutcome(outcome, settings);

/** Selects {@link outcomeText} of a message; null if nothing went wrong. */
export const messageError = sql<string | null>`case when ${messages.errorCode} is not null
  then json_build_object('code', ${messages.errorCode}, 'fact', ${messages.outcome}) end`.mapWith(
  ({ code, fact }: { code: string; fact: unknown }) =>
    outcomeText({ errorCode: parseOutcomeCode(code), outcome: parseOutcome(fact) }),
);
