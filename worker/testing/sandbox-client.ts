import { once } from 'node:events';
import fs from 'node:fs';
import { afterAll } from 'vitest';
import type { Client, ClientOptions } from 'whatsapp-web.js';
import wweb from 'whatsapp-web.js';
import { settings } from '#server/settings.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { skipPageSource } from '#worker/engine/whatsapp-web.ts';
import type { Sandbox } from '#worker/sandbox/start-sandbox.ts';
import { lendBrowser } from './engine-browser.ts';
import { eventually, temporaryDirectory } from './sandbox.ts';

/** For tests of the sandbox with the real whatsapp-web.js in real Chromium. */

const EVENT_TIMEOUT_MS = 15_000;

const home = temporaryDirectory();
await lendBrowser(home);
const browser = await resolveBrowser({ chromiumPath: settings.chromiumPath, dataDir: home });
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** The real client over a profile directory, directed to a sandbox by its two arguments. */
export function createClient(
  chromiumArgs: readonly string[],
  profiles: string,
  options: Partial<ClientOptions> = {},
): Client {
  const { executablePath, headless, env } = browser;
  const client = new wweb.Client({
    authStrategy: new wweb.LocalAuth({ clientId: 'test', dataPath: profiles }),
    webVersionCache: { type: 'none' },
    ...options,
    puppeteer: { executablePath, headless, env, pipe: true, args: [...browser.args, ...chromiumArgs] },
  });
  skipPageSource(client);
  return client;
}

/** Resolves when the client's browser has ended for any reason. */
export async function browserGone(client: Client): Promise<void> {
  const process = client.pupBrowser?.process();
  if (process && process.exitCode === null && process.signalCode === null) await once(process, 'exit');
}

/** Ends a client and resolves when its browser writes nothing any more. */
export async function closeClient(client: Client): Promise<void> {
  await client.destroy();
  await browserGone(client);
}

/** The arguments of an event's next emission. Rejects after 15 s. */
export async function next(client: Client, event: string): Promise<unknown[]> {
  return once(client, event, { signal: AbortSignal.timeout(EVENT_TIMEOUT_MS) });
}

/** The result of code that runs in the page. */
export async function inPage<T>(client: Client, code: () => T): Promise<Awaited<T>> {
  const page = client.pupPage;
  if (!page) throw new Error('the client has no page');
  return (await page.evaluate(code)) as Awaited<T>;
}

interface OwnMessage {
  id: string;
  body: string;
  ack: number;
  t: number;
  isSendFailure: boolean | null;
  errorCode: string | null;
}

/** All of our messages that the page has, read without the library, which fails if keys are renamed. */
export const ownMessages = (client: Client): Promise<OwnMessage[]> =>
  inPage(client, async () => {
    interface Message {
      id: { id: string; fromMe: boolean };
      body?: string;
      ack: number;
      t: number;
      isSendFailure?: boolean;
      errorCode?: string;
    }
    interface Chat {
      msgs: { getModelsArray(): Message[] };
    }
    const site = window as unknown as {
      require(name: 'WAWebCollections'): { Chat: { getModelsArray(): Chat[] } };
      require(name: 'WAWebChatLoadMessages'): { loadEarlierMsgs(params: { chat: Chat }): Promise<Message[]> };
    };
    const chats = site.require('WAWebCollections').Chat.getModelsArray();
    const { loadEarlierMsgs } = site.require('WAWebChatLoadMessages');
    for (const chat of chats) while ((await loadEarlierMsgs({ chat })).length > 0);
    return chats
      .flatMap(({ msgs }) => msgs.getModelsArray())
      .filter(({ id }) => id.fromMe)
      .map(({ id, body, ack, t, isSendFailure, errorCode }) => ({
        id: id.id,
        body: body ?? '',
        ack,
        t,
        isSendFailure: isSendFailure ?? null,
        errorCode: errorCode ?? null,
      }));
  });

/** The library has added its last listener: destroying it earlier would leave its set-up with a closed page. */
export async function settled(client: Client): Promise<void> {
  await eventually(async () => {
    const attached = await inPage(client, () => {
      const page = window as unknown as {
        require(name: string): { Cmd: { listenerCount(name: string): number } };
      };
      return page.require('WAWebCmd').Cmd.listenerCount('logout_from_bridge');
    });
    if (attached === 0) throw new Error('the library is still setting up');
  });
}

/** Starts a client and has `phone` scan its QR, if it shows one. Resolves when the client is ready. */
export async function bringUp(
  sandbox: Pick<Sandbox, 'control'>,
  client: Client,
  phone: string,
): Promise<void> {
  const ready = next(client, 'ready');
  const scanned = new Promise<void>((resolve, reject) => {
    client.once('qr', (qr) => sandbox.control.scan({ phone, qr }).then(() => resolve(), reject));
    client.once('ready', () => resolve());
  });
  await Promise.all([client.initialize(), scanned, ready]);
}
