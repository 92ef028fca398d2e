import type { SQL } from 'drizzle-orm';
import type { AlertSign, AlertTopic } from '#server/core/alert.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import type { Count } from '../queries/counted.ts';
import type { FoundAlert } from '../queries/found.ts';

// The statements of kinds are SQL: each compares states, histories and earlier alerts of all accounts in one pass.

/** When alerts are looked for, and that day by the installation's time zone. */
export interface Look {
  now: Date;
  today: string;
}

/** What the button of a mail opens, and its text. */
export interface AlertPage {
  label: string;
  path: string;
  /** For a page about its number: what the number's id follows at the end of the path. */
  ofNumber?: string;
}

export const PAGES = {
  number: { label: 'Open the number', path: '/numbers/', ofNumber: '' },
  requests: { label: 'Open Requests', path: '/requests?show=unsent', ofNumber: '&number=' },
  cancelled: { label: 'Open Messages', path: '/messages?status=cancelled' },
  webhooks: { label: 'Open Webhooks', path: '/webhooks' },
  plan: { label: 'Open the plan', path: '/account/plan' },
  builds: { label: 'Open WhatsApp Web', path: '/admin/whatsapp-web' },
} as const satisfies Record<string, AlertPage>;

/** Everything that differs between kinds of alerts, except their words (`server/core/alerts.ts`). */
export interface AlertDescriptor {
  /** Finds what is not raised yet. Kinds that share this function are found by one call. */
  find?: (db: Db, look: Look) => Promise<FoundAlert[]>;
  /** Instead: it reports the end of an alert `a` of this kind about a number. Without `facts`, it has none. */
  follows?: { kind: AlertKind; facts?: SQL };
  /** Adds what only other domains know to alerts that are about to be raised. */
  complete?: (database: Database, found: readonly FoundAlert[]) => Promise<FoundAlert[]>;
  /** It describes a state: the condition under which that of alert `a` still lasts. Absent for an event. */
  lasts?: (look: Look) => SQL;
  topic: AlertTopic;
  /** Its icon in the dashboard. */
  sign: AlertSign;
  page: AlertPage;
  /** Who gets its mail; everybody if absent. Members do not see an alert of administrators. */
  only?: 'members' | 'administrators';
  /** What the account's own members must do about it. An administrator who is no member reads that. */
  customer?: 'acts' | 'pays';
  /** The state of its number that it is about. Requests are refused in it: its mail links to them. */
  state?: NumberStatus;
  /** What its mail counts, and its members' list. */
  counts?: Count;
  /** What only its mail counts. */
  mailCounts?: readonly Count[];
  /** It counts up to when it was raised. Others count until they are over. */
  countedWhenRaised?: true;
  /** How long its mail waits. */
  mailDelaySeconds?: number;
}
