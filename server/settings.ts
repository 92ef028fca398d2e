import path from 'node:path';
import { z } from 'zod';
import { editsBetween } from './core/edits-between.ts';
import { NEW_CONTACTS_PER_DAY, parseBudget } from './core/new-contacts.ts';
import {
  contactBudget,
  hostNames,
  hostsWithPort,
  integer,
  mailSender,
  onOff,
  ports,
  postgresUrl,
  publicOrigin,
  secretText,
  smtpUrl,
  timeZoneName,
  whatsAppBuild,
} from './core/setting-values.ts';

/**
 * Every setting of the product, parsed once from the environment and frozen. Only this file reads `process.env`. A
 * wrong setting stops the start with a line that names the variable and its valid values.
 */

const schema = z.object({
  WIREBIRD_ENV: z.enum(['local', 'production']).default('local'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65535).default(3000),
  PUBLIC_URL: publicOrigin.optional(),
  ALLOWED_HOSTS: hostNames.default([]),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  CHROMIUM_PATH: z.string().min(1).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  // Default: the machine's.
  TIME_ZONE: timeZoneName.optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailSender.optional(),
  // The worker uses the next port.
  METRICS_PORT: integer(0, 65534).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  // Enough to hand over all numbers, a few at a time. A supervisor must wait as long before it kills a worker.
  DRAIN_SECONDS: integer(2, 600).default(60),
  STOP_NOTICE_SECONDS: integer(0, 30).default(0),
  SIGN_UP: z.enum(['open', 'closed']).default('open'),
  GRACE_DAYS: integer(0, 60).default(3),

  AUTH_SECRET: secretText.optional(),
  KEY_PEPPER: secretText.optional(),
  DATA_KEY: secretText.optional(),
  WIREBIRD_SECRETS: z.enum(['generate']).optional(),
  TRUST_PROXY: onOff.default(false),

  SANDBOX: onOff.optional(),
  SANDBOX_DIR: z.string().min(1).optional(),
  TRIAL: onOff.default(true),
  // For tests and benchmarks; read only where a number's network is `sandbox`.
  SANDBOX_SEND_INTERVAL_MS: integer(0, 600_000).optional(),
  SANDBOX_ACK_TIMEOUT_MS: integer(100, 30_000).optional(),
  SANDBOX_LEASE_MS: integer(3000, 30_000).optional(),
  SANDBOX_RESTART_PAUSE_MS_MAX: integer(100, 60_000).optional(),

  MEDIA_PORTS: ports.default([80, 443, 8080, 8443]),
  MEDIA_ALLOW_HOSTS: hostsWithPort.default([]),
  WEBHOOK_ALLOW_HOSTS: hostsWithPort.default([]),
  WEBHOOK_RETENTION_DAYS: integer(4, 90).default(7),
  REQUEST_LOG_DAYS: integer(1, 90).default(7),
  REFUSED_ALERT: integer(1, 1_000_000).default(20),

  RATE_SENDS_PER_MINUTE: integer(1, 1_000_000).default(60),
  RATE_READS_PER_MINUTE: integer(1, 1_000_000).default(120),
  RATE_BAD_KEYS_PER_MINUTE: integer(1, 1_000_000).default(20),
  QUEUE_ASYNC_MAX: integer(1, 100_000).default(100),
  RECIPIENT_CHECKS_PER_DAY: integer(0, 100_000).default(100),
  QUEUE_SCHEDULED_MAX: integer(1, 100_000).default(10_000),
  QUEUE_NEW_CONTACTS_MAX: integer(1, 100_000).default(500),
  NEW_CONTACTS_PER_DAY: contactBudget.default(
    NEW_CONTACTS_PER_DAY.map(({ fromDay, perDay }) => `${fromDay}:${perDay}`).join(','),
  ),

  WHATSAPP_BUILD: whatsAppBuild.default('latest'),

  // Default: from the size of each volume.
  DISK_FREE_MB_MIN: integer(1, 10_000_000).optional(),
});

export type SettingName = keyof typeof schema.shape;

const NAMES = Object.keys(schema.shape) as readonly SettingName[];

/** Every variable that is read. */
export const SETTING_NAMES: readonly string[] = NAMES;

export class SettingsError extends Error {}

/** Settings whose values are never shown. */
const SECRET: ReadonlySet<SettingName> = new Set([
  'DATABASE_URL',
  'SMTP_URL',
  'AUTH_SECRET',
  'KEY_PEPPER',
  'DATA_KEY',
]);

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** The problem with a value, independent of the parser's words. */
function problemOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_value' ? `must be ${OR.format(issue.values.map(String))}` : issue.message;
}

/** A blank value in a compose or systemd file means "not set". */
const isSet = (value: string | undefined) => value !== undefined && value.trim() !== '';

/** The time zone of `TZ` or of the system. Throws {@link SettingsError} if `TZ` names none. */
function machineTimeZone(tz: string | undefined): string {
  const { data } = timeZoneName.safeParse(Intl.DateTimeFormat().resolvedOptions().timeZone);
  if (data !== undefined) return data;
  // As the system's own programs do.
  if (!isSet(tz)) return 'UTC';
  throw new SettingsError(
    `TZ is "${tz}": it must be an IANA time zone such as Europe/Berlin. Correct it, or set TIME_ZONE.`,
  );
}

/** Parses an environment. Throws {@link SettingsError} with one line for each wrong variable. */
export function parseSettings(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => isSet(value)));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const wrong = new Map(parsed.error.issues.map((issue) => [issue.path[0] as SettingName, issue]));
    const lines = [...wrong].map(([name, issue]) => {
      const is = SECRET.has(name) ? name : `${name} is "${given[name]}": it`;
      return `${is} ${problemOf(issue)}. Correct it, or remove it to use the default.`;
    });
    throw new SettingsError(lines.join('\n'));
  }
  const s = parsed.data;
  if (s.SMTP_URL !== undefined && s.MAIL_FROM === undefined) {
    throw new SettingsError(
      'SMTP_URL is set, but MAIL_FROM is not. Set MAIL_FROM to the sender’s address, such as "Wirebird <alerts@example.com>".',
    );
  }
  const production = s.WIREBIRD_ENV === 'production';
  return Object.freeze({
    production,
    host: s.HOST,
    port: s.PORT,
    publicUrl: s.PUBLIC_URL === undefined ? `http://localhost:${s.PORT}` : new URL(s.PUBLIC_URL).origin,
    allowedHosts: Object.freeze(s.ALLOWED_HOSTS.map((name) => name.toLowerCase())),
    dataDir: path.resolve(s.DATA_DIR),
    databaseUrl: s.DATABASE_URL,
    chromiumPath: s.CHROMIUM_PATH,
    logLevel: s.LOG_LEVEL,
    timeZone: s.TIME_ZONE ?? machineTimeZone(env.TZ),
    smtpUrl: s.SMTP_URL,
    mailFrom: s.MAIL_FROM ?? '',
    metricsPort: s.METRICS_PORT,
    metricsHost: s.METRICS_HOST,
    drainSeconds: s.DRAIN_SECONDS,
    /** How long a stop waits for the outcome of what is being sent, and for the callers that wait for it. */
    outcomeSeconds: Math.min(8, s.DRAIN_SECONDS),
    /** How long a web process that is being stopped still accepts requests, for the proxy to notice. */
    stopNoticeSeconds: s.STOP_NOTICE_SECONDS,
    signUpOpen: s.SIGN_UP === 'open',
    graceDays: s.GRACE_DAYS,
    authSecret: s.AUTH_SECRET,
    keyPepper: s.KEY_PEPPER,
    dataKey: s.DATA_KEY,
    /** The first start makes secrets that are not set, in `DATA_DIR/secrets`. */
    secretsGenerated: !production || s.WIREBIRD_SECRETS === 'generate',
    trustProxy: s.TRUST_PROXY,
    sandbox: s.SANDBOX ?? !production,
    /** Accounts without a plan can try a sandbox number. */
    trial: s.TRIAL && (s.SANDBOX ?? !production),
    sandboxDir: s.SANDBOX_DIR === undefined ? undefined : path.resolve(s.SANDBOX_DIR),
    sandboxSendIntervalMs: s.SANDBOX_SEND_INTERVAL_MS,
    sandboxAckTimeoutMs: s.SANDBOX_ACK_TIMEOUT_MS,
    sandboxLeaseMs: s.SANDBOX_LEASE_MS,
    sandboxRestartPauseMsMax: s.SANDBOX_RESTART_PAUSE_MS_MAX,
    mediaPorts: Object.freeze(s.MEDIA_PORTS),
    mediaAllowHosts: Object.freeze(s.MEDIA_ALLOW_HOSTS),
    webhookRetentionDays: s.WEBHOOK_RETENTION_DAYS,
    requestLogDays: s.REQUEST_LOG_DAYS,
    refusedAlert: s.REFUSED_ALERT,
    webhookAllowHosts: Object.freeze(s.WEBHOOK_ALLOW_HOSTS),
    rateSendsPerMinute: s.RATE_SENDS_PER_MINUTE,
    rateReadsPerMinute: s.RATE_READS_PER_MINUTE,
    rateBadKeysPerMinute: s.RATE_BAD_KEYS_PER_MINUTE,
    queueAsyncMax: s.QUEUE_ASYNC_MAX,
    recipientChecksPerDay: s.RECIPIENT_CHECKS_PER_DAY,
    queueScheduledMax: s.QUEUE_SCHEDULED_MAX,
    queueNewContactsMax: s.QUEUE_NEW_CONTACTS_MAX,
    newContactsPerDay: Object.freeze(parseBudget(s.NEW_CONTACTS_PER_DAY) ?? NEW_CONTACTS_PER_DAY),
    whatsappBuild: s.WHATSAPP_BUILD,
    diskFreeBytesMin: s.DISK_FREE_MB_MIN === undefined ? undefined : s.DISK_FREE_MB_MIN * 1024 ** 2,
  });
}

export type Settings = ReturnType<typeof parseSettings>;

// biome-ignore lint/style/noProcessEnv: the one place that reads it
export const settings: Settings = parseSettings(process.env);

/** A setting and its value in this process. */
export interface SettingInForce {
  name: SettingName;
  /** For reading. Null for a secret, and if there is neither a value nor a default. */
  value: string | null;
  secret: boolean;
  /** `start`: `npm start` gave it to this process. `default`: not set, or set to the default. */
  source: 'environment' | 'start' | 'default';
}

/** Settings whose default depends on others. */
const WORKED_OUT: Partial<Record<SettingName, keyof Settings>> = {
  PUBLIC_URL: 'publicUrl',
  SANDBOX: 'sandbox',
  DATA_DIR: 'dataDir',
  TIME_ZONE: 'timeZone',
};

/** Every setting with its source, and its value unless that is secret. */
// biome-ignore lint/style/noProcessEnv: the one place that reads it
export function settingsInForce(env: Record<string, string | undefined> = process.env): SettingInForce[] {
  const present = (name: SettingName) => isSet(env[name]);
  const given = Object.fromEntries(NAMES.flatMap((name) => (present(name) ? [[name, env[name]]] : [])));
  const held: Record<string, unknown> = schema.parse(given);
  const assumed: Record<string, unknown> = schema.parse({});
  const all = parseSettings(env);
  const unset = parseSettings({});
  const byStart = env[SET_BY_START]?.split(',') ?? [];
  return NAMES.map((name) => {
    const key = WORKED_OUT[name];
    const value = shown(key ? all[key] : held[name]);
    const secret = SECRET.has(name);
    const same = !secret && value === shown(key ? unset[key] : assumed[name]);
    const isDefault = !present(name) || same;
    const source = isDefault ? 'default' : byStart.includes(name) ? 'start' : 'environment';
    return { name, value: secret ? null : value, secret, source };
  });
}

function shown(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  return String(value);
}

/** Call before next-auth is loaded: it reads its address from the environment, else trusts `X-Forwarded-Host`. */
export function setNextAuthUrl(): void {
  // biome-ignore lint/style/noProcessEnv: the one place that touches it
  process.env.NEXTAUTH_URL = new URL(settings.publicUrl).origin;
}

/** Names the settings that nobody set and that the start gives to its processes. */
const SET_BY_START = 'WIREBIRD_SET_BY_START';

/** The environment for a process of the start: ours, with what the start sets marked as such. */
export function startedEnvironment(
  overrides: Record<string, string | undefined>,
  own = childEnvironment(),
): NodeJS.ProcessEnv {
  // The data directory is the one that was set, as a full path.
  const kept = (name: string) => (name === 'DATA_DIR' ? !!own[name] : own[name] === overrides[name]);
  const set = Object.keys(overrides).filter((name) => SETTING_NAMES.includes(name) && !kept(name));
  return { ...own, ...overrides, [SET_BY_START]: set.join(',') };
}

/** The environment for a child process: ours, with `overrides` on top (`undefined` removes a variable). */
export function childEnvironment(overrides: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: the one place that reads it
  return { ...process.env, ...overrides };
}

/** What the documentation's examples and the clients call the variables of a program that sends. */
const OF_CALLERS = ['WIREBIRD_KEY', 'WIREBIRD_API_KEY', 'WIREBIRD_URL', 'WIREBIRD_WEBHOOK_SECRET'];

/** Variables that look like a setting, such as `SMPT_URL` or `WIREBIRD_QUEUE`, each with the setting it resembles. */
// biome-ignore lint/style/noProcessEnv: the one place that reads it
export function misspeltSettings(env: Record<string, string | undefined> = process.env): string[] {
  return Object.keys(env).flatMap((name) => {
    if (name === SET_BY_START || SETTING_NAMES.includes(name) || OF_CALLERS.includes(name)) return [];
    const meant = settingMeantBy(name);
    if (meant) return [`${name} is not a setting and is ignored. Did you mean ${meant}?`];
    return name.startsWith(PREFIX)
      ? [`${name} is not a setting and is ignored. docs/configuration.md lists them.`]
      : [];
  });
}

const PREFIX = 'WIREBIRD_';
/** In a shorter name one changed letter makes another word. */
const SHORT_CHARS = 8;

function settingMeantBy(name: string): string | null {
  const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  const editsTo = (setting: string) => Math.min(editsBetween(bare, setting), editsBetween(name, setting));
  const [near] = SETTING_NAMES.map((setting) => ({ setting, edits: editsTo(setting) })).sort(
    (a, b) => a.edits - b.edits,
  );
  if (!near) return null;
  return near.edits <= (near.setting.length < SHORT_CHARS ? 1 : 2) ? near.setting : null;
}
