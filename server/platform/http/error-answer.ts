import type { AppError } from '#server/core/errors.ts';
import { outcomeOf } from '#server/core/outcomes.ts';

/** An error as the REST API answers it, and as the dashboard shows that answer. */

interface ErrorBody {
  success: false;
  error: string;
}

/** The body of an error. */
export function errorBody(error: AppError): string {
  return JSON.stringify({ success: false, error: error.message } satisfies ErrorBody);
}

/** The headers of an error, for programs. */
export function errorHeaders(error: AppError): Record<string, string> {
  const { numberStatus, sendOutcome, messageId, earlier } = error.details;
  const { limit, retryAfterSeconds: always } = outcomeOf(error.code);
  const retryAfterSeconds = error.details.retryAfterSeconds ?? always;
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(Math.max(1, retryAfterSeconds));
  if (limit !== undefined) headers['X-Limit'] = limit;
  if (numberStatus !== undefined) headers['X-Number-Status'] = numberStatus;
  if (sendOutcome !== undefined) headers['X-Send-Outcome'] = sendOutcome;
  if (messageId !== undefined) headers['X-Message-Id'] = messageId;
  if (earlier !== undefined) {
    headers['X-Message-Id'] = earlier.id;
    headers['X-Message-Status'] = earlier.status;
  }
  if (error.code === 'unauthorized') headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}
