import type { AppError } from '#server/core/errors.ts';
import { createLineBudget, STRANGERS, strangerBounds } from '#server/platform/line-budget.ts';
import { log } from '#server/platform/log.ts';

/** A refused request. No field contains a text, a recipient or a key. */
export interface Refusal {
  requestId: string;
  status: number;
  code: AppError['code'] | 'malformed';
  /** The endpoint, or one name for all unknown paths. */
  route?: string;
  messageId?: string | undefined;
  /** The caller; null without a valid key. */
  caller: { accountId: string; numberId: string | null; keyId: string | null } | null;
  /** The request's address; read only without a caller. */
  address: () => string;
}

/** Lines a minute about a known caller. */
const OF_ACCOUNT = 120;

/**
 * Writes a line about each refused request, so that its `X-Request-Id` is in the log. If an account or address has
 * too many in a minute, the rest is counted in one line at the minute's end.
 */
export function createRefusalLog(): (refusal: Refusal) => void {
  const takes = createLineBudget((whose, count) => {
    const fields = whose === STRANGERS ? {} : { accountId: whose };
    log.warn({ ...fields, count }, 'more refused requests were not logged individually');
  });

  return ({ caller, address, ...fields }) => {
    if (caller) {
      const { accountId, numberId, keyId } = caller;
      if (takes([[accountId, OF_ACCOUNT]], accountId))
        log.info({ ...fields, accountId, numberId, keyId }, 'request refused');
      return;
    }
    const from = address();
    if (takes(strangerBounds(from), STRANGERS)) log.info({ ...fields, address: from }, 'request refused');
  };
}

/** The one of this process. */
export const logRefusal = createRefusalLog();
