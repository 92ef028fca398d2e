/**
 * `npm run try:n8n`: the packed nodes in a real n8n, against the product without browsers. n8n is installed once, in the
 * folder of `--dir` (3 GB); its data are new each time. `--picture` draws the README's picture.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../../../e2e/stack.ts';
import { ensurePostgres } from '../../../server/platform/embedded/postgres.ts';
import { startProduct } from '../../testing/product.ts';
import { N8nApi } from './api.mts';
import { CHECKS, type World } from './checks.mts';
import { installN8n, installNodes, N8N_VERSION, packNodes } from './install.mts';
import { startN8n } from './n8n.mts';
import { drawWorkflow } from './picture.mts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: path.join(os.tmpdir(), 'wirebird-n8n') },
    picture: { type: 'boolean', default: false },
  },
});
const dir = path.resolve(values.dir);
const begun = performance.now();
const step = (what: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${what}`);

await using cleanup = new AsyncDisposableStack();
const userFolder = await mkdtemp(path.join(os.tmpdir(), 'wirebird-try-n8n-'));
cleanup.defer(() => rm(userFolder, { recursive: true, force: true }));

await installN8n(dir);
step(`n8n ${N8N_VERSION} is installed in ${dir}.`);
const tarball = await packNodes(dir);
await installNodes(tarball, userFolder);
step(`${path.basename(tarball)} is installed in n8n.`);

const port = await freePort();
const product = await startProduct({ numbers: 1, webhookHosts: `127.0.0.1:${port}` });
cleanup.defer(() => product.stop());
const wirebird = { baseUrl: product.baseUrl, apiKey: product.numbers[0]?.key ?? '' };
step('Wirebird runs, with a connected number.');

const postgres = await ensurePostgres(path.join(userFolder, 'postgres'), { port: 0 });
cleanup.defer(() => postgres.release());
const n8n = cleanup.use(await startN8n({ dir, userFolder, databaseUrl: postgres.url, port }));
const api = await N8nApi.signUp(n8n);
step('n8n runs.');

const world: World = {
  n8n: { url: n8n.url, api },
  wirebird,
  credential: await api.createCredential('Wirebird', wirebird),
  arrived: async () => product.arrivals().map(({ body }) => body),
};
for (const [promise, check] of Object.entries(CHECKS)) {
  await check(world);
  step(`Kept: ${promise}.`);
}
if (values.picture) {
  await drawWorkflow(world, userFolder);
  step('The picture is drawn.');
}
