import type { AppError } from '#server/core/errors.ts';
import { type OutcomeCode, outcomeOf } from '#server/core/outcomes.ts';

/** The REST API's answer for an error, which the dashboard shows as well. */

interface ErrorBody {
  success: false;
  error: string;
}

export function errorBody(error: AppError): string {
  return JSON.stringify({ success: false, error: error.message } satisfies ErrorBody);
}

/** The body of an error in the format of RFC 9457, for callers that accept it. */
export function problemBody(
  error: AppError,
  { requestId, docsUrl }: { requestId: string; docsUrl: string },
): string {
  const code = publicCodeOf(error);
  const { status } = outcomeOf(error.code);
  return JSON.stringify({
    type: `${docsUrl}#error-${code}`,
    title: code.replaceAll('_', ' '),
    status,
    detail: error.message,
    code,
    requestId,
  });
}

/** The code for programs: the outcome if a message failed, otherwise the code of the error. */
export const publicCodeOf = ({ code, details }: AppError): OutcomeCode => details.outcome ?? code;

export function errorHeaders(error: AppError): Record<string, string> {
  const { numberStatus, sendOutcome, messageId, earlier } = error.details;
  const { limit, retryAfterSeconds: always } = outcomeOf(error.code);
  const retryAfterSeconds = error.details.retryAfterSeconds ?? always;
  const headers: Record<string, string> = { 'X-Error-Code': publicCodeOf(error) };
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
