import type { AppError } from '#server/core/errors.ts';
import { log } from '#server/log.ts';

/** Who was refused what. No field holds a text, a recipient or a key. */
export interface Refusal {
  requestId: string;
  status: number;
  code: AppError['code'] | 'malformed';
  /** The endpoint, or one name for all that there is not. */
  route?: string;
  messageId?: string | undefined;
  /** The caller; null where no valid key was given. */
  caller: { accountId: string; numberId: string | null; keyId: string | null } | null;
  /** The caller's address, read only where there is no caller. */
  address: () => string;
}

const MINUTE_MS = 60_000;
/** Lines a minute: more of them would push older ones out of the log file. The rest is counted. */
const OF_ACCOUNT = 120;
const OF_ADDRESS = 60;
const OF_STRANGERS = 600;

type Bound = [name: string, linesMax: number];
const STRANGERS = 'strangers';

/**
 * Writes a line about each refused request, so that its `X-Request-Id` is found in the log. Beyond so many in a
 * minute from one account or address they are counted, in one line at the minute's end.
 */
export function createRefusalLog(): (refusal: Refusal) => void {
  const lines = new Map<string, number>();
  /** Refusals without a line, by account; those of strangers under one name. */
  const unlisted = new Map<string, number>();
  let counting = false;

  function endMinute(): void {
    for (const [whose, count] of unlisted) {
      const fields = whose === STRANGERS ? {} : { accountId: whose };
      log.warn({ ...fields, count }, 'more requests were refused than are listed');
    }
    lines.clear();
    unlisted.clear();
    counting = false;
  }

  /** Counts a line under each name or, where one of them has enough, a refusal of `whose` without a line. */
  function takes(bounds: Bound[], whose: string): boolean {
    if (!counting) setTimeout(endMinute, MINUTE_MS).unref();
    counting = true;
    const full = bounds.some(([name, linesMax]) => (lines.get(name) ?? 0) >= linesMax);
    if (full) unlisted.set(whose, (unlisted.get(whose) ?? 0) + 1);
    else for (const [name] of bounds) lines.set(name, (lines.get(name) ?? 0) + 1);
    return !full;
  }

  return ({ caller, address, ...fields }) => {
    if (caller) {
      const { accountId, numberId, keyId } = caller;
      if (takes([[accountId, OF_ACCOUNT]], accountId))
        log.info({ ...fields, accountId, numberId, keyId }, 'request refused');
      return;
    }
    const from = address();
    const bounds: Bound[] = [
      [from, OF_ADDRESS],
      [STRANGERS, OF_STRANGERS],
    ];
    if (takes(bounds, STRANGERS)) log.info({ ...fields, address: from }, 'request refused');
  };
}

/** The one of this process. */
export const logRefusal = createRefusalLog();
