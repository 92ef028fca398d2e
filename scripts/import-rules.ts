/**
 * `npm run imports`: which part may import which. A part may import itself and the listed parts; if two parts
 * match a file, the longer name wins. Types count, tests do not. Biome refuses import cycles.
 */
import { type Import, importsOfProduct } from './imports.ts';

/** The domains. Each has its use cases, and its queries in a folder `queries`. */
export const DOMAINS = [
  ...['messages', 'numbers', 'api-keys', 'plans', 'accounts', 'people'],
  ...['webhooks', 'requests', 'alerts', 'sandbox', 'operations'],
];
const USE_CASES = DOMAINS.map((domain) => `server/${domain}`);
/**
 * Queries belong to their own domain, except these: every transaction locks accounts and numbers first, and ending
 * a number, a key or a plan cancels its waiting messages in the same transaction.
 */
const SHARED = [
  ...['server/accounts/queries/accounts.ts', 'server/numbers/queries/numbers.ts'],
  'server/messages/queries/cancel-waiting.ts',
];
/** The answer about an unsent message gives its number's state, and when it can send again. */
const ANSWERED = ['server/numbers/queries/number-status.ts', 'server/numbers/queries/look-ups.ts'];
const QUERIES = [...DOMAINS.map((domain) => `server/${domain}/queries`), ...SHARED, ...ANSWERED];
/** Parts of the platform. Every part may import its files outside folders, such as the log. */
const platform = (...names: string[]) => names.map((name) => `server/platform/${name}`);
const OUTSIDE = platform('disk', 'mail', 'media', 'metrics', 'queue');
/** Every part may import these; `server` is its only file outside folders: the settings. */
const GROUND = ['server/core', 'server', 'server/platform'];
const STORE = [...GROUND, 'server/schema', ...platform('db')];
const WORKER = ['worker/engine', 'worker/jobs', 'worker/profiles', 'worker/numbers', 'worker/webhooks'];

const MAY_IMPORT: Record<string, readonly string[]> = {
  'server/core': [],
  server: ['server/core'],
  'server/schema': GROUND,

  'server/platform': GROUND,
  ...Object.fromEntries(
    platform('disk', 'http', 'mail', 'media', 'metrics', 'process').map((p) => [p, GROUND]),
  ),
  'server/platform/db': STORE,
  'server/platform/embedded': [...GROUND, ...platform('process')],
  'server/platform/queue': [...STORE, ...platform('metrics')],

  // One statement may span tables of several domains. A use case calls another domain's use cases.
  ...Object.fromEntries(QUERIES.map((part) => [part, [...STORE, ...QUERIES]])),
  ...Object.fromEntries(
    USE_CASES.map((part) => [part, [...STORE, `${part}/queries`, ...SHARED, ...USE_CASES, ...OUTSIDE]]),
  ),
  'server/messages': [...STORE, 'server/messages/queries', ...SHARED, ...ANSWERED, ...USE_CASES, ...OUTSIDE],
  // A kind of alert holds its queries.
  'server/alerts/kinds': [...STORE, ...QUERIES, ...USE_CASES],
  'server/alerts': [
    ...[...STORE, 'server/alerts/queries', 'server/alerts/kinds', ...SHARED],
    ...[...USE_CASES, ...OUTSIDE],
  ],
  // The installation as a whole: backups, retention, figures.
  'server/operations': [...STORE, ...QUERIES, ...USE_CASES, ...OUTSIDE, ...platform('process')],

  // Transports: the two for customers do not import each other, and only the operator's imports queries.
  'server/auth': [...GROUND, ...USE_CASES, ...platform('db')],
  'server/dashboard': [...GROUND, ...USE_CASES, 'server/auth', ...platform('db', 'http')],
  'server/rest': [...GROUND, ...USE_CASES, 'server/auth', ...platform('db', 'http', 'metrics')],
  'server/cli': [...STORE, ...USE_CASES, ...QUERIES, 'server/start', ...OUTSIDE, ...platform('process')],
  'server/start': [
    ...[...GROUND, ...USE_CASES, 'server/auth', 'server/rest'],
    ...platform('db', 'embedded', 'http', 'process', 'queue'),
  ],
  app: [...GROUND, ...USE_CASES, 'server/auth', 'server/dashboard', 'server/rest', ...platform('db')],

  worker: [...STORE, ...USE_CASES, ...QUERIES, ...OUTSIDE, ...WORKER, 'worker/sandbox'],
  'worker/engine': [...GROUND, ...platform('metrics', 'process')],
  'worker/jobs': [...STORE, ...USE_CASES, ...QUERIES, 'worker/engine', ...platform('queue')],
  'worker/profiles': [...STORE, ...QUERIES, 'worker/engine', ...platform('process')],
  'worker/webhooks': [...STORE, ...USE_CASES, ...QUERIES, ...platform('media', 'queue')],
  'worker/sandbox': [...GROUND, 'server/sandbox'],
  'worker/numbers': [...STORE, ...USE_CASES, ...QUERIES, ...OUTSIDE, ...WORKER, ...platform('process')],
};

/** Packages that only one place may import. */
const ONE_PLACE: Record<string, RegExp> = {
  'whatsapp-web.js': /^worker\/engine\/(library|whatsapp-web)\.ts$/,
  // The component prefetches only what the user is about to open.
  'next/link': /^app\/_components\/ui\/link\.tsx$/,
};

const PARTS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
const partOf = (file: string) => PARTS.find((part) => file === part || file.startsWith(`${part}/`));

/** Why an import is refused, in a sentence; null if it is allowed. */
export function refusal({ from, to }: Import): string | null {
  const part = partOf(from);
  if (!part) return `${from} is in no part of scripts/import-rules.ts`;
  const only = ONE_PLACE[to];
  if (only && !only.test(from)) return `${from} imports ${to}, which is for ${only.source} alone`;
  if (part === 'server/core' && to.startsWith('node:')) return `${from} imports ${to}: the core is pure`;
  const target = partOf(to);
  if (!target || target === part || MAY_IMPORT[part]?.includes(target)) return null;
  return `${from} imports ${to}: ${part} may not import ${target} (scripts/import-rules.ts)`;
}

if (import.meta.main) {
  const refused = importsOfProduct().flatMap((found) => refusal(found) ?? []);
  for (const line of refused) console.error(line);
  if (refused.length > 0) process.exitCode = 1;
}
