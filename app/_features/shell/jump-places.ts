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
import { PAYMENTS_PATH } from '#server/dashboard/payments-path.ts';
import {
  ACCOUNTS,
  ALERTS,
  AUDIT,
  BUILDS,
  HEALTH,
  KEYS,
  MESSAGES,
  NUMBERS,
  OVERVIEW,
  type Place,
  REFERENCE,
  REQUESTS,
  SANDBOX,
  SETTINGS,
  TRY,
  WEBHOOKS,
  WORKERS,
} from './nav.tsx';
import { search } from './search-words.ts';

const { words, addNumber, createKey, start } = search;

/** The pages that the search finds, each with its search words. */
export function jumpPlaces(me: { admin: boolean; sandbox: boolean }): { place: Place; words: string }[] {
  return [
    { place: OVERVIEW, words: words.overview },
    { place: MESSAGES, words: words.messages },
    { place: REQUESTS, words: words.requests },
    { place: NUMBERS, words: words.numbers },
    { place: KEYS, words: words.keys },
    { place: WEBHOOKS, words: words.webhooks },
    { place: TRY, words: words.tryIt },
    ...(me.sandbox ? [{ place: SANDBOX, words: words.sandbox }] : []),
    { place: { href: '/numbers/new', label: addNumber, icon: Plus }, words: words.newNumber },
    { place: { href: '/keys?create=', label: createKey, icon: KeyRound }, words: words.newKey },
    ...(me.sandbox ? [{ place: { href: '/start', label: start, icon: Rocket }, words: words.start }] : []),
    { place: REFERENCE, words: words.reference },
    { place: { href: '/account', label: account.title, icon: UserRound }, words: words.you },
    {
      place: { href: '/account/settings', label: account.settings.title, icon: Settings },
      words: words.settings,
    },
    { place: { href: '/account/people', label: people.title, icon: UsersRound }, words: words.people },
    { place: { href: '/account/plan', label: plan.title, icon: CreditCard }, words: words.plan },
    ...(me.admin
      ? [
          { place: ACCOUNTS, words: words.accounts },
          { place: HEALTH, words: words.health },
          { place: WORKERS, words: words.workers },
          { place: BUILDS, words: words.builds },
          { place: ALERTS, words: words.alerts },
          { place: AUDIT, words: words.audit },
          { place: SETTINGS, words: words.installation },
          {
            place: { href: '/admin/how-to-pay', label: plan.howToPay.title, icon: Landmark },
            words: words.howToPay,
          },
          {
            place: { href: PAYMENTS_PATH, label: admin.accounts.payments, icon: Download },
            words: words.payments,
          },
        ]
      : []),
  ];
}
