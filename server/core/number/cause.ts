import { z } from 'zod';

/** Causes without parameters. `say.ts` has a sentence for each. */
export const PLAIN_CAUSES = [
  // Linking.
  'linking_expired',
  'passkey_expired',
  'codes_unseen',
  'not_loaded',
  'passkey_asked',
  'passkey_confirmed',
  'passkey_code',
  'passkey_failed',
  'phone_replaced',
  // Its owner did it.
  'unlinked',
  'unlink_unconfirmed',
  'removed',
  'account_deleted',
  'taken_back',
  // WhatsApp refuses the number, or has ended its link.
  'locked',
  'banned',
  'terms_blocked',
  'business_terms_blocked',
  'address_blocked',
  'outdated',
  'link_gone',
  'session_stale',
  'conflict',
  'unseen_ends',
  // It connects again automatically.
  'connection_lost',
  'connection_cut',
  'connection_wiped',
  'no_answer',
  'no_confirmation',
  'not_sending',
  'service_unavailable',
  'newer_page',
  'ban_over',
  // Its session does not start.
  'disk_full',
  'profile_unusable',
  'site_unreachable',
  'load_timeout',
  'browser_ended',
  'page_not_started',
  'browser_older',
  // Builds of WhatsApp Web.
  'build_tested',
  'test_repeats',
  'test_elsewhere',
  // Its session is stopped on purpose.
  'plan_ended',
  'trial_idle',
  // The installation.
  'moved',
] as const;

const text = z.string();

/** Why a number is in its state: the fact that is stored. A sentence is made of it when somebody reads it (`say.ts`). */
export const Cause = z.discriminatedUnion('code', [
  z.object({ code: z.enum(PLAIN_CAUSES) }),
  /** `reason`: the page's own word for the logout; null if it gave none. */
  z.object({ code: z.literal('logged_out'), reason: text.nullable() }),
  /** `why`: WhatsApp's code. `until`: its end, if known. `startsAgain`: the number then connects automatically. */
  z.object({
    code: z.literal('ban'),
    why: text,
    until: z.iso.datetime().nullable(),
    startsAgain: z.boolean(),
  }),
  /** `status`: WhatsApp's code for the refusal. */
  z.object({ code: z.literal('login_refused'), status: text }),
  z.object({
    code: z.literal('browser_failed'),
    failure: z.enum(['missing', 'openFiles', 'processes', 'unknown']),
  }),
  /** `stillListed`: WhatsApp did not confirm the logout. */
  z.object({
    code: z.literal('phone_refused'),
    why: z.enum(['other', 'not_the_replacement', 'in_use']),
    stillListed: z.boolean(),
  }),
  z.object({ code: z.literal('no_pairing_code'), why: z.enum(['too_many', 'bad_number', 'page']) }),
  z.object({ code: z.literal('pairing_codes_used_up'), minutes: z.int() }),
  /** The owner named the phone (digits) that replaces the linked one, or kept this one. */
  z.object({ code: z.literal('phone_changes'), phone: text }),
  z.object({ code: z.literal('phone_kept'), phone: text }),
  /** The build fails its self-test: `what` says in a clause what has changed. */
  z.object({ code: z.literal('build_changed'), build: text, what: text }),
  /** The same if numbers continue with the older build `good`. */
  z.object({ code: z.literal('build_replaced'), build: text, what: text, good: text }),
  z.object({ code: z.literal('build_left'), build: text, good: text, failed: z.boolean() }),
  z.object({ code: z.literal('build_not_accepted'), build: text }),
  z.object({ code: z.literal('build_not_stored'), build: text, stored: z.array(text) }),
  /** Its session is on a server (`host`) that does not answer. */
  z.object({ code: z.literal('stranded'), host: text }),
  /** From a backup of this time. `lost`: messages that were accepted after it are missing. */
  z.object({ code: z.literal('restored'), madeAt: text, lost: z.boolean() }),
  /** A sentence of an earlier version. It is only shown. */
  z.object({ code: z.literal('legacy'), text }),
]);
export type Cause = z.infer<typeof Cause>;
export type PlainCause = (typeof PLAIN_CAUSES)[number];
export type BrowserFailure = Extract<Cause, { code: 'browser_failed' }>['failure'];

/** A stored cause. Null without one, or for one that only a later version knows. */
export function parseCause(stored: unknown): Cause | null {
  return Cause.safeParse(stored).data ?? null;
}

/** Why a linked number's session is stopped on purpose, by the code of its cause. Its link is kept. */
export const SESSION_STOPS = { plan_ended: 'plan', trial_idle: 'trial' } as const;
export type SessionStop = (typeof SESSION_STOPS)[keyof typeof SESSION_STOPS];
export const SESSION_STOP_CODES: readonly string[] = Object.keys(SESSION_STOPS);

/** Which stop a cause is; null for any other. */
export function sessionStopOf(cause: Cause | null): SessionStop | null {
  const stops: Partial<Record<string, SessionStop>> = SESSION_STOPS;
  return cause ? (stops[cause.code] ?? null) : null;
}
