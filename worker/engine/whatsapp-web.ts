import wweb from 'whatsapp-web.js';
import type { Engine } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import { blockUnneededRequests } from './block-requests.ts';
import type { Browser } from './browser.ts';
import type { Client, Wiring } from './library.ts';
import { LANGUAGE_ARGS, LANGUAGE_ENV, maskHeadless, SCREEN_ARGS } from './mask-headless.ts';
import { WhatsAppSession } from './session.ts';
import { SiteWatch } from './site-watch.ts';
import { ENGINE_TIMES, type EngineTimes } from './times.ts';
import { lastWords } from './try-browser.ts';
import { userAgentOf } from './user-agent.ts';
import { WaitingFiles } from './waiting-files.ts';

/** The only file that loads whatsapp-web.js. It creates the client. */

export interface EngineOptions {
  browser: Browser;
  log: Log;
  times?: Partial<EngineTimes>;
}

/** The engine over whatsapp-web.js, for both networks. They differ only in a session's `networkArgs`. */
export function createWhatsAppEngine({ browser, log, times }: EngineOptions): Engine {
  const engineTimes = { ...ENGINE_TIMES, ...times };
  const sites = new Map<string, SiteWatch>();
  const waitingFiles = new WaitingFiles();
  const siteOf = (networkArgs: readonly string[]) => {
    const network = networkArgs.join(' ');
    const site = sites.get(network) ?? new SiteWatch(engineTimes);
    sites.set(network, site);
    return site;
  };
  return {
    open: (options, events) =>
      new WhatsAppSession({
        options,
        events,
        times: engineTimes,
        browserVersion: browser.version,
        site: siteOf(options.networkArgs),
        waitingFiles,
        log: log.child({ numberId: options.numberId }),
        lastWords: () => lastWords(browser),
        connect: (wiring) =>
          createClient({
            ...wiring,
            browser,
            log,
            times: engineTimes,
            networkArgs: options.networkArgs,
          }),
      }),
  };
}

interface ClientParams extends Wiring {
  browser: Browser;
  log: Log;
  times: EngineTimes;
  networkArgs: readonly string[];
}

/** Creates a client of the library over a profile. Each gets new options, because it changes them. */
export function createClient(params: ClientParams): Client {
  const { browser, networkArgs, times } = params;
  const auth = new wweb.LocalAuth({ dataPath: params.profileDir });
  // The library would delete the profile while the browser runs. It is removed after the browser has ended.
  // Upstream: #3072 (docs/upstream.md)
  auth.logout = async () => {};
  const client = new wweb.Client({
    authStrategy: auth,
    authTimeoutMs: times.scriptsMs,
    webVersionCache: { type: 'none' },
    qrMaxRetries: 0,
    takeoverOnConflict: false,
    userAgent: userAgentOf(browser.version),
    puppeteer: {
      executablePath: browser.executablePath,
      headless: browser.headless,
      args: [...browser.args, ...networkArgs, ...LANGUAGE_ARGS, ...SCREEN_ARGS],
      env: { ...browser.env, ...LANGUAGE_ENV },
      // The page has the size of the window.
      defaultViewport: null,
      // With a pipe the browser closes automatically when its worker is killed.
      pipe: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      // Longer than each of our own time limits, so that ours decide.
      protocolTimeout: Math.max(times.startMsMax, times.sendMediaMs) + 30_000,
      signal: params.signal,
    },
  });
  auth.afterBrowserInitialized = async () => {
    const { pupBrowser, pupPage } = client;
    if (!pupBrowser || !pupPage) return;
    await params.onBrowser(pupBrowser, pupPage);
    await maskHeadless(pupPage, browser.version, params.log);
    await blockUnneededRequests(pupPage, params.log);
  };
  catchInjectionErrors(client, params.onInjectionFailed);
  skipPageSource(client);
  return client;
}

/** Members of the client that are missing in its types. */
interface Internals {
  inject(): Promise<void>;
  initWebVersionCache(): Promise<void>;
}

/**
 * Even without a version cache the library reads each page's source. That causes an unhandled rejection if the
 * page navigates or closes.
 */
export function skipPageSource(client: Client): void {
  // Upstream: not reported (docs/upstream.md)
  (client as unknown as Internals).initWebVersionCache = async () => {};
}

/** The library injects itself again in an event handler whose rejection would end the whole worker. */
function catchInjectionErrors(client: Client, onInjectionFailed: (error: unknown) => void): void {
  const internals = client as unknown as Internals;
  const inject = internals.inject.bind(client);
  let first = true;
  // Upstream: #3792, pull 3531 (docs/upstream.md)
  internals.inject = async () => {
    if (!first) return inject().catch(onInjectionFailed);
    first = false;
    return inject();
  };
}
