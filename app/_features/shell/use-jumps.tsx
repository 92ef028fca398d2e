import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, Building2, Key, Search } from 'lucide-react';
import type { Pick, PickGroup } from '#app/_components/ui/command-dialog.tsx';
import { matches } from '#app/_components/ui/pick-match.ts';
import { MESSAGE_SIGNS, NumberGlyph } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { lineOf } from '#app/_features/kinds/kind-labels.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { NUMBER_NAMES, signOf } from '#server/core/number-sign.ts';
import { isRequestId } from '#server/core/request-id.ts';
import { startedAt } from '#server/core/started-at.ts';
import { jumpPlaces } from './jump-places.ts';
import { useMe } from './me.tsx';
import { search as texts } from './search-words.ts';
import { useNumbers } from './use-numbers.ts';

/** A result of the search. */
export interface Jump extends Pick {
  href: string;
}

/** Shorter words match too much to ask the server. */
const ASK_FROM = 3;
const MOST = 6;

/** The results for `query`; `settled` is the query for the server. */
export function useJumps(query: string, settled: string): { groups: PickGroup<Jump>[]; busy: boolean } {
  const me = useMe();
  const numbers = useNumbers();
  const keys = useKeys((id) => numbers.find((number) => number.id === id)?.name);
  const messages = useMessages(query, settled);
  const accounts = useAccounts(settled);
  const requests = useRequests(settled);
  const typed = query.trim();
  const places = jumpPlaces(me)
    .filter(({ place, words }) => matches(typed, `${place.label} ${words}`))
    .map(({ place }) => ({ id: place.href, href: place.href, label: place.label, icon: <place.icon /> }));
  const found = numbers
    .filter((number) => isNumber(typed, number))
    .map((number) => ({
      id: number.id,
      href: `/numbers/${number.id}`,
      label: number.name,
      hint: number.label ? number.phoneText : undefined,
      aside: NUMBER_NAMES[signOf(number)],
      icon: <NumberGlyph sign={signOf(number)} />,
    }));
  const { groups: titles } = texts;
  return {
    groups: [
      { title: titles.pages, picks: places },
      { title: titles.numbers, picks: typed === '' ? found.slice(0, MOST) : found },
      { title: titles.keys, picks: typed === '' ? [] : keys(typed) },
      { title: titles.requests, picks: typed === '' ? [] : requests },
      { title: titles.messages, picks: typed === '' ? [] : messages.picks },
      { title: titles.accounts, picks: typed === '' ? [] : accounts },
    ],
    busy: messages.busy,
  };
}

/** Matches its name, its ID, or its phone number with any spacing. */
function isNumber(query: string, number: { name: string; id: string; phoneNumber: string | null }): boolean {
  const digits = /^\+?[\d\s()-]+$/.test(query) ? query.replace(/\D/g, '') : '';
  if (digits !== '' && number.phoneNumber?.includes(digits)) return true;
  return matches(query, `${number.name} ${number.id}`);
}

function useKeys(nameOf: (numberId: string) => string | undefined): (query: string) => Jump[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.keys.list.queryOptions());
  return (query) =>
    (data ?? [])
      .filter((key) => !key.revokedAt && matches(query, `${key.name} ${key.hint} ${key.id}`))
      .map((key) => ({
        id: key.id,
        href: '/keys',
        label: key.name || key.hint,
        hint: texts.keyOf(key.hint, nameOf(key.numberId) ?? key.numberLabel),
        icon: <Key />,
      }));
}

function useMessages(query: string, settled: string): { picks: Jump[]; busy: boolean } {
  const trpc = useTRPC();
  const search = settled.trim();
  const asks = search.length >= ASK_FROM;
  const { data, isFetching } = useQuery(
    trpc.messages.list.queryOptions({ search }, { enabled: asks, placeholderData: keepPreviousData }),
  );
  const typed = query.trim();
  const rows = asks ? (data?.rows.slice(0, MOST) ?? []) : [];
  const picks: Jump[] = rows.map((row) => ({
    id: row.id,
    href: `/messages/${row.id}`,
    label: row.toText,
    hint: lineOf(row),
    aside: <Time at={row.createdAt} seconds={false} />,
    icon: <StatusIcon {...MESSAGE_SIGNS[row.status]} />,
  }));
  const all: Jump = {
    id: 'all-messages',
    href: `/messages?q=${encodeURIComponent(typed)}`,
    label: texts.inMessages(typed),
    icon: <Search />,
  };
  // First, because later results must not take the place of what the user is about to select.
  return { picks: [all, ...picks], busy: typed.length >= ASK_FROM && (isFetching || typed !== search) };
}

/** The request with this `X-Request-Id`. */
function useRequests(settled: string): Jump[] {
  const trpc = useTRPC();
  const requestId = settled.trim().toLowerCase();
  const { data } = useQuery(
    trpc.requests.list.queryOptions({ requestId }, { enabled: isRequestId(requestId) }),
  );
  return (isRequestId(requestId) ? (data?.rows ?? []) : []).map((row) => ({
    id: String(row.id),
    href: `/requests?open=${row.requestId}`,
    label: row.endpoint,
    hint: row.errorCode ?? undefined,
    aside: <Time at={startedAt(row)} seconds={false} />,
    icon: <ArrowLeftRight />,
  }));
}

function useAccounts(settled: string): Jump[] {
  const trpc = useTRPC();
  const { admin } = useMe();
  const search = settled.trim();
  const asks = admin && search.length >= ASK_FROM;
  const { data } = useQuery(
    trpc.admin.accounts.queryOptions({ search }, { enabled: asks, placeholderData: keepPreviousData }),
  );
  const rows = asks ? (data?.rows ?? []) : [];
  return rows.slice(0, MOST).map((account) => ({
    id: account.accountId,
    href: `/admin/accounts/${account.accountId}`,
    label: account.name,
    hint: account.email === account.name ? undefined : account.email,
    icon: <Building2 />,
  }));
}
