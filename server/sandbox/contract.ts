import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { PasskeyAssertion, PasskeyRequest } from '#server/core/passkey.ts';
import { GROUP, PERSON } from '#server/core/recipient.ts';
import { Ms, NetworkConfig, NetworkConfigPatch } from './network-config.ts';
import { Rule, StoredRule } from './rule.ts';

/**
 * The sandbox's control API: a table of operations with their input and output schemas, from which the client derives its
 * methods and the sandbox its handlers. An operation is `POST <url>/control/<name>` with a JSON body and the bearer token of
 * the control file.
 */

/** A delivered message, as the recipient's phone has it. Fields that do not apply to its kind are absent. */
export const InboxEntry = z.object({
  /** The bare WhatsApp message id. */
  id: z.string(),
  /** When it was delivered, ms since the epoch. */
  at: z.int(),
  /** As in REST: `<digits>@c.us` or a group id, for every kind of address that the page uses. */
  to: z.string(),
  type: z.enum(MESSAGE_TYPES),
  body: z.string().optional(),
  caption: z.string().optional(),
  filename: z.string().optional(),
  mimetype: z.string().optional(),
  /** The SHA-256 of the media bytes, in hex. */
  sha256: z.string().optional(),
  bytes: z.int().optional(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
  name: z.string().optional(),
  address: z.string().optional(),
  vcard: z.string().optional(),
  /** Title of a link preview, when the sender attached one. */
  linkPreview: z.string().optional(),
  /** 1 accepted by the server, 2 delivered, 3 read. */
  ack: z.int(),
  /** How often the page sent the message again under the same id. It was delivered only once. */
  repeats: z.int().optional(),
});
export type InboxEntry = z.output<typeof InboxEntry>;

const PhoneDigits = z.string().regex(PERSON);
const Group = z.object({ id: z.string(), name: z.string(), participants: z.array(PhoneDigits) });
export type Group = z.output<typeof Group>;

/** How a phone is cut off from its pages: visibly, or silently (they still show CONNECTED). */
const Reach = z.enum(['online', 'offline', 'silent']);

export const LoginRefusal = z.object({
  reason: z.int().min(400).max(599),
  /** The reason code of a ban (402). */
  code: z.string().optional(),
  /** The seconds left of a ban, after which the refusal ends. */
  expire: z.int().min(1).optional(),
  /** What the page shows about a locked account (403). */
  header: z.string().optional(),
  subtext: z.string().optional(),
  /** How many logins are refused; absent: all. */
  times: z.int().min(1).optional(),
});
export type LoginRefusal = z.output<typeof LoginRefusal>;

export const PhoneState = z.object({
  phone: PhoneDigits,
  name: z.string(),
  reach: Reach,
  /** Linked devices, and how many of them have a page connected right now. */
  devices: z.int(),
  connected: z.int(),
  passkey: z.object({
    demanded: z.boolean(),
    waiting: z.boolean(),
    /** The code that the phone shows while it is linked with a passkey. */
    code: z.string().nullable(),
  }),
  deliveredMs: Ms.nullable(),
  readMs: Ms.nullable(),
  /** Messages delivered so far, and repeats of them that were acknowledged without a second delivery. */
  delivered: z.int(),
  repeats: z.int(),
  groups: z.int(),
  rules: z.int(),
});
export type PhoneState = z.output<typeof PhoneState>;

const ChatMessage = z.object({
  id: z.string(),
  at: z.int(),
  direction: z.enum(['out', 'in']),
  type: z.enum(MESSAGE_TYPES),
  /** A line to show: the text, the caption, the file's name or the place. */
  text: z.string(),
  ack: z.int().optional(),
});
export type ChatMessage = z.output<typeof ChatMessage>;
const Chat = z.object({ id: z.string(), name: z.string(), lastAt: z.int(), messages: z.array(ChatMessage) });
export type Chat = z.output<typeof Chat>;

const Diagnostics = z.object({
  /** Requested modules that the page does not have. */
  missingModules: z.array(z.string()),
  pages: z.array(
    z.object({
      phone: z.string().optional(),
      qrShown: z.boolean(),
      codeFor: z.string().optional(),
      passkeyFor: z.string().optional(),
    }),
  ),
  journalLines: z.int(),
});

/** A reach-out timelock: new conversations are refused with 463 until `endsAt` (ms since the epoch). */
export const Timelock = z.object({
  state: z.enum(['HIDDEN', 'VISIBLE']).default('VISIBLE'),
  endsAt: z.int(),
  type: z
    .string()
    .regex(/^[A-Z_]+$/)
    .default('DEFAULT'),
});
/** The cap for new conversations in a cycle. New conversations of a `CAPPED` number are refused with 475. */
export const NewChatCap = z.object({
  status: z.enum(['NONE', 'FIRST_WARNING', 'SECOND_WARNING', 'CAPPED']),
  total: z.int(),
  used: z.int(),
  endsAt: z.int(),
});
/** The server's restrictions on a phone. */
export const Restrictions = z.object({
  timelock: Timelock.nullable().default(null),
  cap: NewChatCap.nullable().default(null),
  checkpoint: z.enum(['PASSKEY', 'CAPTCHA']).nullable().default(null),
});
export type Restrictions = z.output<typeof Restrictions>;

const operation = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const None = z.object({});
const ofPhone = z.object({ phone: PhoneDigits });
const numbers = z.object({ numbers: z.array(PhoneDigits).min(1).max(10_000) });

export const OPERATIONS = {
  phones: operation(None, z.array(PhoneState)),
  phone: operation(ofPhone, PhoneState),

  /** Scans the QR exactly as whatsapp-web.js's `qr` event gave it. Creates the phone's account if needed. */
  scan: operation(ofPhone.extend({ qr: z.string().min(1) }), PhoneState),
  /** The server makes all pages that show a QR rotate its secret. Returns how many. */
  rotateSecrets: operation(None, z.object({ pages: z.int() })),
  enterCode: operation(ofPhone.extend({ code: z.string().min(1) }), PhoneState),
  /** Refuses pairing codes for this phone: 429 too many attempts, 400 no such number; null accepts them again. */
  refuseCodes: operation(
    ofPhone.extend({ status: z.union([z.literal(429), z.literal(400)]).nullable() }),
    PhoneState,
  ),
  /** Whether linking this phone requires a passkey. */
  demandPasskey: operation(ofPhone.extend({ demanded: z.boolean() }), PhoneState),
  /** The phone's passkey, for the browser that shall sign with it. */
  passkey: operation(
    ofPhone,
    z.object({ credentialId: z.string(), userHandle: z.string(), privateKey: z.string() }),
  ),
  /** Signs a request with it, as the browser of its owner does. */
  signPasskey: operation(ofPhone.extend({ request: PasskeyRequest }), PasskeyAssertion),
  /** The phone removes its linked devices; `silently`: their pages notice only when they reconnect. */
  unlink: operation(ofPhone.extend({ silently: z.boolean().default(false) }), PhoneState),

  /** Closes the phone's pages' sockets and refuses new ones; `silently`: keeps them open without passing data. */
  offline: operation(ofPhone.extend({ silently: z.boolean().default(false) }), PhoneState),
  online: operation(ofPhone, PhoneState),
  /** The phone's session was opened elsewhere: its pages' connections end permanently, and a new page is accepted. */
  replaced: operation(ofPhone, PhoneState),
  /** The server ends the streams of the phone's pages with this error. With 516 they wipe themselves. */
  streamError: operation(
    ofPhone.extend({ error: z.enum(['515', '516', '500', '503', 'xml-not-well-formed']) }),
    PhoneState,
  ),
  /**
   * The phone's pages show this socket state, with nothing else changed. States that pages no longer show (CONFLICT,
   * PROXYBLOCK, TOS_BLOCK, SMB_TOS_BLOCK, DEPRECATED_VERSION) need the setting `olderPage`.
   */
  showState: operation(ofPhone.extend({ state: z.string().regex(/^[A-Z_]+$/) }), PhoneState),
  /** Refuses the logins of the phone's pages, and makes connected pages log in again. */
  refuse: operation(ofPhone.extend(LoginRefusal.shape), PhoneState),
  /** Logins are accepted again. */
  accept: operation(ofPhone, PhoneState),
  reload: operation(ofPhone, PhoneState),
  /** Breaks the sockets once; the pages reconnect automatically. */
  drop: operation(ofPhone, PhoneState),

  inbox: operation(ofPhone.extend({ limit: z.int().min(1).max(100_000).optional() }), z.array(InboxEntry)),
  clearInbox: operation(ofPhone, PhoneState),
  chats: operation(ofPhone, z.array(Chat)),
  /** The phone receives a message. */
  receive: operation(
    ofPhone.extend({ from: PhoneDigits, body: z.string().min(1).max(65_536) }),
    z.object({ id: z.string() }),
  ),
  /**
   * The server restricts the phone; null ends a restriction. `silently`: its pages notice only when they ask.
   */
  restrict: operation(
    ofPhone.extend({ restrictions: Restrictions, silently: z.boolean().default(false) }),
    PhoneState,
  ),
  /** When new messages count as delivered and read; null: never. */
  setDelivery: operation(ofPhone.extend({ deliveredMs: Ms.nullable(), readMs: Ms.nullable() }), PhoneState),

  /** Resolves when the phone's connected pages know the rule. */
  addRule: operation(ofPhone.extend({ rule: Rule }), StoredRule),
  rules: operation(ofPhone, z.array(StoredRule)),
  clearRules: operation(ofPhone, z.object({ cleared: z.int() })),

  groups: operation(ofPhone, z.array(Group)),
  /** Resolves when the phone's connected pages show the group. */
  addGroup: operation(
    ofPhone.extend({
      name: z.string().min(1).max(100),
      id: z
        .string()
        .refine((id) => GROUP.test(id), 'must be a group id ending in @g.us')
        .optional(),
      participants: z.array(PhoneDigits).max(1000).optional(),
    }),
    Group,
  ),

  /** Numbers that are not on WhatsApp. All others are. */
  unregistered: operation(None, z.array(PhoneDigits)),
  addUnregistered: operation(numbers, z.array(PhoneDigits)),
  removeUnregistered: operation(numbers, z.array(PhoneDigits)),

  config: operation(None, NetworkConfig),
  /** Changes the given settings; pages read most of them when they load. */
  configure: operation(NetworkConfigPatch, NetworkConfig),
  diagnostics: operation(None, Diagnostics),
} as const;
export type OperationName = keyof typeof OPERATIONS;

/** Body of an answer that is not 200. */
export const ControlError = z.object({
  code: z.enum([
    'unauthorized',
    'not_found',
    'invalid_parameters',
    'already_exists',
    'not_connected',
    'internal',
  ]),
  message: z.string(),
});
export type ControlError = z.output<typeof ControlError>;
