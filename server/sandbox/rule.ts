import { z } from 'zod';
import { parseRecipient } from '#server/core/recipient.ts';
import { Ms } from './network-config.ts';

const Recipient = z
  .string()
  .refine((to) => parseRecipient(to) !== null, 'must be a number in international digits or a group id');

/**
 * The steps of a message in the page at which a rule can apply. `prep` and `upload` are only for media, `job` is
 * between `add` and the job that builds the stanza, `wire` in that job before the stanza is written. `groups` is
 * the page's request for a group or, without a recipient, for all groups.
 */
export const STAGES = ['exists', 'groups', 'call', 'prep', 'upload', 'add', 'job', 'wire', 'after'] as const;
export type Stage = (typeof STAGES)[number];

export const ACTIONS = [
  'throw', // the step fails with an error
  'hang', // never settles; at `after` the page also keeps later acknowledgements to itself until it reloads
  'late', // waits `ms` (default 1000), then continues
  'reload', // the page reloads
  'busy', // the page's only thread is blocked for `ms` (default 5000)
  'refuse', // WhatsApp's server refuses the message (ack −1), with `code` (default 400)
  'encrypt', // the page cannot encrypt the message: the job rejects, nothing is written
  'blocked', // the recipient is a blocked contact
  'fail', // the upload is answered with the status `code`; without one, no file server can be reached
  'cancel', // the upload is cancelled after `ms`, without an error
  'rekey', // the page stores the message under another key, so that the library resolves `undefined`
  'ratelimit', // WhatsApp's server refuses the request: there were too many (429)
  'not-on-whatsapp', // the recipient is reported as not on WhatsApp
  'hidden', // the recipient's number is hidden: a look-up answers with their LID
] as const;
export type Action = (typeof ACTIONS)[number];

/** Actions that apply only at some stages. */
const ONLY_AT: Partial<Record<Action, readonly Stage[]>> = {
  refuse: ['wire'],
  encrypt: ['wire'],
  blocked: ['job'],
  fail: ['upload'],
  cancel: ['upload'],
  rekey: ['add'],
  ratelimit: ['exists', 'groups'],
  'not-on-whatsapp': ['exists'],
  hidden: ['exists'],
};

/** Stages that know the recipient; the media stages run before the page reads the chat. */
const KNOWS_RECIPIENT: readonly Stage[] = ['exists', 'groups', 'call', 'add', 'job', 'wire', 'after'];

const TIMES = 'must be a whole number from 1 to 10000';
const CODE = 'must be a whole number from 100 to 599';

const fields = {
  stage: z.enum(STAGES),
  action: z.enum(ACTIONS),
  /** How many times the rule applies. */
  times: z.int(TIMES).min(1, TIMES).max(10_000, TIMES).default(1),
  /** Milliseconds: the wait of `late`, the length of `busy`, the pause before any other action. */
  ms: Ms.optional(),
  /** Applies only to this recipient (digits or group id). */
  to: Recipient.optional(),
  /** What WhatsApp's server answers with: a nack's code, or an upload's status. */
  code: z.int(CODE).min(100, CODE).max(599, CODE).optional(),
};

export const Rule = z.object(fields).superRefine((rule, context) => {
  const only = ONLY_AT[rule.action];
  if (only && !only.includes(rule.stage)) {
    const message = `action ${rule.action} works at stage ${only.join(' or ')} only, not at ${rule.stage}.`;
    context.addIssue({ code: 'custom', path: ['action'], message });
  }
  if (rule.code !== undefined && rule.action !== 'refuse' && rule.action !== 'fail') {
    const message = `action ${rule.action} has no code: it belongs to refuse and fail.`;
    context.addIssue({ code: 'custom', path: ['code'], message });
  }
  if (rule.to !== undefined && !KNOWS_RECIPIENT.includes(rule.stage)) {
    const message = `at stage ${rule.stage} the recipient is not known yet: leave out "to".`;
    context.addIssue({ code: 'custom', path: ['to'], message });
  }
});
export type Rule = z.output<typeof Rule>;

export const StoredRule = z.object({
  ...fields,
  id: z.string(),
  /** How many more times the rule applies. */
  left: z.int(),
});
export type StoredRule = z.output<typeof StoredRule>;
