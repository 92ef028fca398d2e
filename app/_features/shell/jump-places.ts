import {
  CreditCard,
  Download,
  KeyRound,
  Landmark,
  Plus,
  Rocket,
  Settings,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { people } from '#app/_features/account/people-words.ts';
import { account } from '#app/_features/account/words.ts';
import { admin } from '#app/_features/admin/words.ts';
import { plan } from '#app/_features/plan/words.ts';
import { PAYMENTS_PATH } from '#server/dashboard/paths.ts';
import { PLACES, type Place } from './nav.tsx';
import { search } from './search-words.ts';

const { words, addNumber, createKey, start } = search;

/** A page that the search finds, with its search words. */
interface Found {
  place: Place;
  words: string;
}

const pages = (...names: (keyof typeof PLACES)[]): Found[] =>
  names.map((name) => ({ place: PLACES[name], words: words[name] }));

/** The pages that the search finds. */
export function jumpPlaces(me: { admin: boolean; sandbox: boolean; shown: Record<string, string> }): Found[] {
  return [
    ...pages('overview', 'messages', 'requests', 'numbers', 'keys', 'webhooks', 'tryIt'),
    ...(me.sandbox ? pages('sandbox') : []),
    { place: { href: '/numbers/new', label: addNumber, icon: Plus }, words: words.newNumber },
    { place: { href: '/keys?create=', label: createKey, icon: KeyRound }, words: words.newKey },
    ...(me.sandbox ? [{ place: { href: '/start', label: start, icon: Rocket }, words: words.start }] : []),
    ...pages('reference'),
    { place: { href: '/account', label: account.title, icon: UserRound }, words: words.you },
    {
      place: { href: '/account/settings', label: account.settings.title, icon: Settings },
      words: words.ofAccount,
    },
    { place: { href: '/account/people', label: people.title, icon: UsersRound }, words: words.people },
    { place: { href: '/account/plan', label: plan.title, icon: CreditCard }, words: words.plan },
    ...(me.admin
      ? [
          ...pages('accounts', 'health', 'workers', 'builds', 'alerts', 'audit', 'settings'),
          {
            place: { href: '/admin/how-to-pay', label: plan.howToPay.title, icon: Landmark },
            words: words.howToPay,
          },
          {
            place: {
              href: `${PAYMENTS_PATH}?${new URLSearchParams(me.shown)}`,
              label: admin.accounts.payments,
              icon: Download,
            },
            words: words.payments,
          },
        ]
      : []),
  ];
}
