import { API_ERROR_CODES, type OutcomeCode, outcomeOf } from '#server/core/outcomes.ts';
import { isRequestId } from '#server/core/request-id.ts';

const PERIOD_MS = { hour: 3_600_000, day: 86_400_000, week: null, range: null } as const;
export type Period = keyof typeof PERIOD_MS;
export const PERIODS = Object.keys(PERIOD_MS) as Period[];

/** The statuses that the API answers with, and their classes. */
export const STATUSES: readonly string[] = [
  ...['2xx', '4xx', '5xx'],
  ...[...new Set([200, 202, ...API_ERROR_CODES.map((code) => outcomeOf(code).status)])].toSorted(
    (one, other) => one - other,
  ),
].map(String);

/** The filters of the list; kept in the address, so that it can be shared. */
export interface Filters {
  refused: boolean;
  /** Of the refused ones, only requests to send whose message was not sent later. */
  unsent?: true;
  httpStatus?: string;
  errorCode?: OutcomeCode;
  keyId?: string;
  numberId?: string;
  requestId?: string;
  /** A part of the recipient of a refused request. */
  recipient?: string;
  period: Period;
  /** For the period `range`: `YYYY-MM-DDTHH:mm` in the viewer's zone. */
  from?: string;
  to?: string;
}

/** The filters in an address; invalid values are left out. */
export function filtersOf(params: { get(name: string): string | null }): Filters {
  const errorCode = API_ERROR_CODES.find((code) => code === params.get('code'));
  const httpStatus = STATUSES.find((one) => one === params.get('status'));
  const keyId = params.get('key');
  const numberId = params.get('number');
  const requestId = params.get('id');
  const recipient = params.get('recipient');
  const period = PERIODS.find((one) => one === params.get('period')) ?? 'week';
  const timeOf = (name: string) => {
    const time = params.get(name);
    return period === 'range' && time && isLocalTime(time) ? time : null;
  };
  const [from, to] = [timeOf('from'), timeOf('to')];
  const unsent = params.get('show') === 'unsent';
  return {
    refused: params.get('show') === 'refused' || unsent,
    period,
    ...(unsent && { unsent }),
    ...(httpStatus && { httpStatus }),
    ...(errorCode && { errorCode }),
    ...(keyId && { keyId: keyId.slice(0, 64) }),
    ...(numberId && { numberId: numberId.slice(0, 64) }),
    ...(requestId && isRequestId(requestId) && { requestId: requestId.toLowerCase() }),
    ...(recipient && isRecipientPart(recipient) && { recipient }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** Enough of a phone number, in any spelling, or of a group's ID to search for. */
export const isRecipientPart = (text: string): boolean =>
  text.length <= 64 && /^[\d ()+-]*(@[a-z.]*)?$/.test(text) && text.replace(/\D/g, '').length >= 4;

const isLocalTime = (text: string) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The address of the list with these filters. */
export function addressOf(filters: Filters): string {
  const { refused, unsent, httpStatus, errorCode, keyId, numberId, requestId, recipient, period, from, to } =
    filters;
  const params = new URLSearchParams({
    ...(refused && { show: unsent ? 'unsent' : 'refused' }),
    ...(httpStatus && { status: httpStatus }),
    ...(errorCode && { code: errorCode }),
    ...(keyId && { key: keyId }),
    ...(numberId && { number: numberId }),
    ...(requestId && { id: requestId }),
    ...(recipient && { recipient }),
    ...(period !== 'week' && { period }),
    ...(period === 'range' && from && { from }),
    ...(period === 'range' && to && { to }),
  });
  return params.size === 0 ? '/requests' : `/requests?${params}`;
}

/** The filters for the server; a period ends at `nowMs`. A range includes the minute `to`. */
export function inputOf({ refused, period, from, to, ...filters }: Filters, nowMs: number) {
  const ms = PERIOD_MS[period];
  const since = ms === null ? from && new Date(from).toISOString() : new Date(nowMs - ms).toISOString();
  const until = ms === null && to ? new Date(Date.parse(to) + 60_000).toISOString() : undefined;
  return { ...filters, ...(refused && { refused }), ...(since && { since }), ...(until && { until }) };
}
