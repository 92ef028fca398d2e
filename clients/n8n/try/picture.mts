/** The README's picture: the two nodes in n8n's editor. */
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { resolveBrowser } from '../../../worker/engine/browser.ts';
import { lendBrowser } from '../../../worker/testing/engine-browser.ts';
import { OWNER } from './api.mts';
import type { World } from './checks.mts';
import { pictureWorkflow, SEND } from './workflows.mts';

/** The editor loads many scripts. */
const LOADED_WITHIN_MS = 180_000;
/** Without the log at the bottom of the window. */
const PICTURE = { width: 1200, height: 683 };
const FILE = path.join(import.meta.dirname, '../images/workflow.png');

/** Draws it with the product's browser, which is put into `dataDir`. */
export async function drawWorkflow({ n8n, credential }: World, dataDir: string): Promise<void> {
  const workflowId = await n8n.api.createWorkflow(pictureWorkflow(credential));
  const browser = await openBrowser(dataDir);
  try {
    const page = await openEditor(browser, n8n.url, `/workflow/${workflowId}`);
    await page.getByText(SEND, { exact: true }).first().waitFor();
    await page.screenshot({ path: FILE, animations: 'disabled', clip: { x: 0, y: 0, ...PICTURE } });
  } finally {
    await browser.close();
  }
}

async function openBrowser(dataDir: string): Promise<Browser> {
  await lendBrowser(dataDir);
  const { executablePath, args, env } = await resolveBrowser({ dataDir });
  return chromium.launch({ executablePath, args, env });
}

/** A page of n8n's editor, in which its first user is signed in. */
async function openEditor(browser: Browser, url: string, at: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1200, height: 720 },
    colorScheme: 'light',
  });
  context.setDefaultTimeout(LOADED_WITHIN_MS);
  const { email, password } = OWNER;
  await context.request.post('/rest/login', { data: { emailOrLdapLoginId: email, password } });
  const page = await context.newPage();
  await page.goto(at, { waitUntil: 'commit' });
  return page;
}
