import { KIND_OPTIONS } from '#app/_features/kinds/kind-labels.ts';
import type { MessageType } from '#server/core/message.ts';
import { MESSAGE_STATUSES, type MessageStatus } from '#server/core/message-state.ts';
import { daysOf, timesOf } from './days.ts';

/** The filters of the list; kept in the address, so that it can be shared. */
export interface Filters {
  search?: string;
  status?: MessageStatus;
  numberId?: string;
  keyId?: string;
  type?: MessageType;
  errorCode?: string;
  /** A preset or a range, as `days.ts` reads it. */
  days?: string;
}

/** Their names in the address. */
export const FILTER_NAMES: Record<keyof Filters, string> = {
  search: 'q',
  status: 'status',
  numberId: 'number',
  keyId: 'key',
  type: 'kind',
  errorCode: 'code',
  days: 'days',
};

/** The filters in an address; invalid values are left out. */
export function filtersOf(params: { get(name: string): string | null }, now = new Date()): Filters {
  const given = (name: keyof Filters) => params.get(FILTER_NAMES[name])?.slice(0, 200) || undefined;
  const status = MESSAGE_STATUSES.find((one) => one === given('status'));
  const type = KIND_OPTIONS.find(({ value }) => value === given('type'))?.value;
  const [search, numberId, keyId] = [given('search'), given('numberId'), given('keyId')];
  const [errorCode, days] = [given('errorCode'), given('days')];
  return {
    ...(search && { search }),
    ...(status && { status }),
    ...(numberId && { numberId: numberId.slice(0, 64) }),
    ...(keyId && { keyId: keyId.slice(0, 64) }),
    ...(type && { type }),
    ...(errorCode && /^[a-z_]{1,64}$/.test(errorCode) && { errorCode }),
    ...(days && daysOf(days, now) && { days }),
  };
}

/** The filters for the server. */
export function inputOf({ days, ...filters }: Filters, now = new Date()) {
  const range = days === undefined ? null : daysOf(days, now);
  return { ...filters, ...(range && timesOf(range)) };
}
