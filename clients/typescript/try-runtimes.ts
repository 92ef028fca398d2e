/**
 * `npm run clients:runtimes`: installs the packed client and the runtimes in a temporary folder, runs
 * `runtimes/program.ts` on each against the product without browsers, and prints the failures. `-- FOLDER` keeps
 * the runtimes there for the next run. CI leaves it out, because the runtimes take 500 MB.
 */
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { startFaultProxy } from '../testing/fault-proxy.ts';
import { npmEnvironment } from '../testing/npm-environment.ts';
import { startProduct } from '../testing/product.ts';
import { build } from './build.ts';
import { type Given, textsOf } from './runtimes/program.ts';

const HERE = import.meta.dirname;
const PACKAGES = ['node@18', 'bun@1', 'deno@2', 'miniflare@4'];
const SECRET = `whsec_${Buffer.from('secret of the runtimes').toString('base64')}`;

const main = `import * as wirebird from 'wirebird';
import { tryClient } from './program.mjs';
console.log(JSON.stringify(await tryClient(wirebird, JSON.parse(process.argv[2]))));`;

const worker = `import * as wirebird from 'wirebird';
import { tryClient } from './program.mjs';
export default { fetch: async (request) => Response.json(await tryClient(wirebird, await request.json())) };`;

/** Runs the bundled worker in workerd, the runtime of Cloudflare Workers. */
const miniflare = `import { Miniflare } from 'miniflare';
const workerd = new Miniflare({ modules: true, scriptPath: 'worker.js', compatibilityDate: '2026-01-01' });
const answer = await workerd.dispatchFetch('http://localhost', { method: 'POST', body: process.argv[2] });
console.log(await answer.text());
await workerd.dispose();`;

const [kept] = process.argv.slice(2);
const user = kept ? path.resolve(kept) : fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-runtimes-'));
const bin = (name: string) => path.join(user, 'node_modules/.bin', name);

/** The runtimes, each with the commands that run a file of the folder and print its version. */
const RUNTIMES: { name: string; run: string[]; version: string[] }[] = [
  { name: 'Node 18', run: [bin('node'), 'main.mjs'], version: [bin('node'), '--version'] },
  { name: 'Node 24', run: [process.execPath, 'main.mjs'], version: [process.execPath, '--version'] },
  { name: 'Bun', run: [bin('bun'), 'main.mjs'], version: [bin('bun'), '--version'] },
  {
    name: 'Deno',
    run: [bin('deno'), 'run', '--allow-net', 'main.mjs'],
    version: [bin('deno'), '--version'],
  },
  { name: 'workerd', run: [process.execPath, 'miniflare.mjs'], version: [bin('workerd'), '--version'] },
];

async function install(): Promise<void> {
  await build();
  const env = npmEnvironment();
  const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, env, stdio: 'inherit' });
  fs.mkdirSync(user, { recursive: true });
  npm(['pack', '--silent', '--pack-destination', user], HERE);
  const tarball = fs.readdirSync(user).find((name) => name.endsWith('.tgz'));
  fs.writeFileSync(path.join(user, 'package.json'), '{"type":"module"}');
  npm(['install', '--no-audit', '--no-fund', `./${tarball}`, ...PACKAGES], user);
  const program = fs.readFileSync(path.join(HERE, 'runtimes/program.ts'), 'utf8');
  const files = { main, worker, miniflare, program: stripTypeScriptTypes(program) };
  for (const [name, code] of Object.entries(files)) fs.writeFileSync(path.join(user, `${name}.mjs`), code);
  const bundle = await rolldown({ input: path.join(user, 'worker.mjs'), platform: 'browser' });
  await bundle.write({ file: path.join(user, 'worker.js'), format: 'esm', codeSplitting: false });
  await bundle.close();
}

/** A webhook request as the product signs it. */
function signedEvent(): Given['signed'] {
  const now = new Date();
  const payload = JSON.stringify({
    type: 'message.sent',
    timestamp: now.toISOString(),
    data: { reference: 'ü 🐦' },
  });
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('evt_1', now, payload),
  };
  return { payload, headers, secret: SECRET };
}

async function execute([command = '', ...args]: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd: user, timeout: 120_000 });
  return stdout.trim();
}

await using cleanup = new AsyncDisposableStack();
if (!kept) cleanup.defer(() => fs.rmSync(user, { recursive: true }));
await install();
const product = await startProduct({ numbers: 1 });
cleanup.defer(() => product.stop());
const apiKey = product.numbers[0]?.key ?? '';
const { baseUrl } = product;

const table: { runtime: string; version: string; faults: number; wrong: number }[] = [];
for (const { name, run, version } of RUNTIMES) {
  const proxy = await startFaultProxy({ target: baseUrl, rate: 0.5 });
  const given: Given = { apiKey, baseUrl, faultyUrl: proxy.url, name, signed: signedEvent() };
  const wrong: string[] = JSON.parse(await execute([...run, JSON.stringify(given)]));
  await proxy.settled();
  const texts = product.arrivals().flatMap(({ body, repeats }) => Array(1 + repeats).fill(body));
  const arrived = texts.filter((text) => text.startsWith(`${name} `)).sort();
  if (arrived.join() !== textsOf(name).sort().join()) wrong.push(`these arrived: ${arrived.join(', ')}`);
  for (const one of wrong) console.error(`${name}: ${one}`);
  const { none, ...faults } = proxy.counts;
  const [named = ''] = (await execute(version)).split('\n');
  table.push({
    runtime: name,
    version: /\d[\d.-]+\d/.exec(named)?.[0] ?? named,
    faults: Object.values(faults).reduce((sum, count) => sum + count),
    wrong: wrong.length,
  });
  await proxy.stop();
}
console.table(table);
if (table.some(({ wrong }) => wrong > 0)) process.exitCode = 1;
