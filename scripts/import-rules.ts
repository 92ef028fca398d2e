/**
 * `npm run imports`: who may import whom. A part may import itself and the parts behind it; where two parts fit a
 * file, the longer one has it. Types count, tests do not. Biome refuses circles of files.
 */
import { importsOfProduct } from './imports.ts';

/** Everybody may import these. */
const GROUND = ['server/core', 'server'];
const DOMAINS = ['server/services', 'server/people', 'server/api-keys'];
const QUERIES = ['server/store', 'server/db'];
const OUTSIDE = [
  'server/disk',
  'server/mail',
  'server/media',
  'server/metrics',
  'server/queue',
  'server/sandbox',
];
const WORKER = ['worker/engine', 'worker/jobs', 'worker/profiles', 'worker/sessions'];

const MAY_IMPORT: Record<string, readonly string[]> = {
  app: [...GROUND, ...DOMAINS, 'server/auth', 'server/dashboard', 'server/db', 'server/rest'],

  server: ['server/core'],
  'server/core': [],

  // What knows nothing of accounts, numbers and messages.
  'server/db': GROUND,
  'server/disk': GROUND,
  'server/embedded': [...GROUND, 'server/process'],
  'server/http': GROUND,
  'server/mail': GROUND,
  'server/media': GROUND,
  'server/metrics': GROUND,
  'server/process': GROUND,
  'server/queue': [...GROUND, 'server/db', 'server/metrics'],
  'server/sandbox': [...GROUND, 'server/metrics'],

  // The use cases and their queries.
  'server/store': [...GROUND, 'server/db'],
  'server/services': [...GROUND, ...DOMAINS, ...QUERIES, ...OUTSIDE],
  'server/people': [...GROUND, ...DOMAINS, ...QUERIES, ...OUTSIDE],
  'server/api-keys': [...GROUND, ...DOMAINS, ...QUERIES, ...OUTSIDE],

  // Transports: they do not know each other.
  'server/auth': [...GROUND, ...DOMAINS, 'server/db'],
  'server/dashboard': [...GROUND, ...DOMAINS, 'server/auth', 'server/db', 'server/http'],
  'server/rest': [
    ...GROUND,
    ...DOMAINS,
    ...['server/auth', 'server/db', 'server/http', 'server/metrics', 'server/sandbox'],
  ],
  'server/cli': [...GROUND, ...DOMAINS, ...QUERIES, ...OUTSIDE, 'server/process', 'server/start'],
  'server/start': [
    ...GROUND,
    ...DOMAINS,
    ...['server/auth', 'server/db', 'server/embedded', 'server/http', 'server/process', 'server/queue'],
    ...['server/rest', 'server/sandbox'],
  ],

  worker: [...GROUND, ...DOMAINS, ...QUERIES, ...OUTSIDE, ...WORKER, 'worker/sandbox'],
  'worker/engine': [...GROUND, 'server/metrics', 'server/process'],
  'worker/jobs': [...GROUND, ...DOMAINS, ...QUERIES, 'server/queue', 'worker/engine'],
  'worker/profiles': [...GROUND, ...QUERIES, 'server/process', 'worker/engine'],
  'worker/sandbox': [...GROUND, 'server/sandbox'],
  'worker/sessions': [...GROUND, ...DOMAINS, ...QUERIES, ...OUTSIDE, ...WORKER],
};

/** Packages that one place alone may import. */
const ONE_PLACE: Record<string, RegExp> = {
  'whatsapp-web.js': /^worker\/engine\/(library|whatsapp-web)\.ts$/,
  // The component fetches nothing ahead that nobody is near to.
  'next/link': /^app\/_components\/link\.tsx$/,
};

const PARTS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
const partOf = (file: string) => PARTS.find((part) => file.startsWith(`${part}/`));

function refusal({ from, to }: { from: string; to: string }): string | null {
  const part = partOf(from);
  if (!part) return `${from} is in no part of scripts/import-rules.ts`;
  const only = ONE_PLACE[to];
  if (only && !only.test(from)) return `${from} imports ${to}, which is for ${only.source} alone`;
  if (part === 'server/core' && to.startsWith('node:')) return `${from} imports ${to}: the core is pure`;
  const target = partOf(to);
  if (!target || target === part || MAY_IMPORT[part]?.includes(target)) return null;
  return `${from} imports ${to}: ${part} may not import ${target} (scripts/import-rules.ts)`;
}

const refused = importsOfProduct().flatMap((found) => refusal(found) ?? []);
for (const line of refused) console.error(line);
if (refused.length > 0) process.exitCode = 1;
