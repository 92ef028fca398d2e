import { z } from 'zod';

/** Milliseconds, up to a day. */
const MS = 'must be a whole number of milliseconds, at most 86400000 (a day)';
export const Ms = z.int(MS).min(0, MS).max(86_400_000, MS);

const KeyField = z.enum(['$1', '_serialized']);
/** Ways to break a build so that its self-test fails. */
export const FAILING_BUILDS = [
  'no-send', // the sending function has another name
  'other-send', // replacing that function has no effect
  'other-job', // the same for the function that writes the stanza
  'ping', // a ping is never answered
  'key-text', // the text of a message's key has another form
  'key-id', // a key does not keep its given ID
  'ack-event', // acknowledgements change messages without an event
  'state-event', // changes of the socket trigger no events
  'chat', // the chat is not found, so the library silently sends nothing
] as const;
const BrokenBuild = z.enum([
  ...FAILING_BUILDS,
  'kept-job', // the page does not call the function that writes the stanza through its module
  'job-text', // that function returns the server's code as text
  'job-empty', // that function returns nothing
  'look-up-null', // each look-up says that the person is not on WhatsApp
  'look-up-shape', // look-ups return another shape
  'media-prep', // the function that prepares files has another name
  'media-entry', // an uploaded file has its key under other names
  'vcard', // contact cards cannot be parsed
  'message-model', // the page cannot make a message with a file
  'own-number', // the hidden ID (LID) is where the own phone number was
]);
export type BrokenBuild = z.output<typeof BrokenBuild>;
export const BROKEN_BUILDS = BrokenBuild.options;

/** A build of the site, with its own version. */
const SiteBuild = z.object({
  version: z.string().regex(/^[\d.]+$/),
  /** Overrides the setting of the same name. */
  keyField: KeyField.optional(),
  brokenBuild: BrokenBuild.nullable().default(null),
  /** Its scripts are no longer served: they answer 404. */
  withdrawn: z.boolean().default(false),
});
export type SiteBuild = z.output<typeof SiteBuild>;

/** The settings that the page itself applies, and loads first (`GET /sandbox/config`). */
export const PageConfig = z.object({
  /** The version of the site's first build. */
  version: z.string().default('2.3000.1030000000'),
  /** What this build puts before and after the parts of its QR. */
  qrAround: z.tuple([z.string(), z.string()]).default(['', '']),
  /** Dialogs that the page opens over itself once it is in sync. */
  dialogs: z.array(z.enum(['whats-new', 'notifications', 'unknown'])).default([]),
  /** From the connection to "has synced". */
  syncDelayMs: Ms.default(150),
  /** Syncs at once, even before the library listens, which then misses `ready`. */
  raceSync: z.boolean().default(false),
  /** Private chats are `…@lid`, as in accounts that WhatsApp has migrated. A person who was never looked up gets none. */
  lidChats: z.boolean().default(false),
  /** A fault: after a restart the page sends all unsent messages. The real page resumes only those with a file. */
  resumePending: z.boolean().default(false),
  /** The page has lost the files that it would resume: it gives their messages ack −3. */
  resumedFilesGone: z.boolean().default(false),
  /** From "has synced" to the end of offline delivery. Sends wait for that end. */
  offlineDeliveryMs: Ms.default(0),
  /** The first pause before a failed upload is tried again; it doubles twice. */
  uploadRetryMs: Ms.default(1000),
  /** From the page's scripts to its socket; about 1.2 s on the real page. */
  socketDelayMs: Ms.default(100),
  /** The last settings patch of a logout, before the server is asked to remove the device; up to 3 s on the real page. */
  settingsPatchMs: Ms.default(100),
  /**
   * As on the real page, a stored link also needs its salt in local storage, and a page without it logs out. Off,
   * because a killed browser loses what local storage got in its last seconds.
   */
  saltNeeded: z.boolean().default(false),
  /** A logout's wipe never ends: the page stays at "Logging out". */
  wipeHangs: z.boolean().default(false),
  /** After login the page knows its own phone number this much later than its LID. */
  ownPnDelayMs: Ms.default(0),
  /** The property of a message's key that holds its text: `_serialized` in builds before July 2026. */
  keyField: KeyField.default('$1'),
  /** How long one second of the page's time limit for a group request lasts. */
  groupSecondMs: Ms.default(1000),
  /** A build of the site that breaks what the adapter relies on, in this way. */
  brokenBuild: BrokenBuild.nullable().default(null),
  /** Page modules to leave out, as when WhatsApp renames one. */
  absentModules: z.array(z.string()).default([]),
  /** Models of files have the property `__x_id`, since September 2026. */
  mediaModelId: z.boolean().default(true),
  /** The server has keys for the account's own phone, which oneself and groups need. */
  ownPhoneKeys: z.boolean().default(true),
  /** Page modules in bundles that are not loaded, so that requiring one throws. */
  lazyModules: z.array(z.string()).default(['WAWebVcardParsingUtils', 'WAWebVcardGetNameFromParsed']),
  /** Where the page's connection runs. In a worker its configuration's `onHandleStanza` is never called. */
  comms: z.enum(['page', 'worker']).default('page'),
  /** Additional memory of the page, to match the real one. */
  ballastMb: z.int().min(0).max(4096).default(0),
  /** The page reconnects after 1, 1, 2, 3, 5, 8, … of these, ±10 %, up to 900 of them. */
  reconnectStepMs: Ms.default(1000),
  /** A request without an answer for this long closes the connection. An idle connection is pinged. */
  deadLineMs: Ms.default(20_000),
  idlePingMs: Ms.default(20_000),
  /** Like older pages: "opened elsewhere" shows CONFLICT and can be taken over, and pages show blocked states. */
  olderPage: z.boolean().default(false),
  /** How long the page uses the options of a passkey request, and how long it waits for each later step. */
  passkeyTtlMs: Ms.default(600_000),
  passkeyStepMs: Ms.default(120_000),
  /** The page proves with the scanned QR's secret who it is, so that no code is compared; or it shows the code. */
  passkeyCode: z.enum(['skipped', 'shown']).default('skipped'),
});
export type PageConfig = z.output<typeof PageConfig>;

/** How the simulated network and its page behave. */
export const NetworkConfig = PageConfig.extend({
  /** Lifetimes of the successive QR codes; after the last one the page stops showing any. */
  refTtlMs: z.array(Ms).default([60_000, 20_000, 20_000, 20_000, 20_000, 20_000]),
  /** From the opened connection to the server's answer to the login. */
  loginAnswerMs: Ms.default(0),
  /** The first scan of a page's QR does not link; it makes the server rotate the QR's secret. */
  rotateAtScan: z.boolean().default(false),
  /** From a message's arrival to the server's acknowledgement (ack 1). */
  serverAckMs: Ms.default(5),
  /** For new phones: from arrival to "delivered" (ack 2) and "read" (ack 3); null: never. */
  deliveredMs: Ms.nullable().default(200),
  readMs: Ms.nullable().default(1000),
  /** The phone does not continue after its passkey has signed. */
  passkeyPhoneSilent: z.boolean().default(false),
  /**
   * Builds that came after the first one (`version`), oldest first. The site serves the document of the last one,
   * and the scripts of all. A build with the first one's version replaces it.
   */
  builds: z.array(SiteBuild).default([]),
  /** The site does not answer, answers 503, or its scripts never load. */
  outage: z.enum(['none', 'hang', '503', 'stall']).default('none'),
});
export type NetworkConfig = z.output<typeof NetworkConfig>;
export const NetworkConfigPatch = z.strictObject(
  Object.fromEntries(
    Object.entries(NetworkConfig.shape).map(([name, field]) => [name, field.unwrap().optional()]),
  ) as {
    [K in keyof typeof NetworkConfig.shape]: z.ZodOptional<
      ReturnType<(typeof NetworkConfig.shape)[K]['unwrap']>
    >;
  },
);
