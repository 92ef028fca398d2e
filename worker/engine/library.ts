import type wweb from 'whatsapp-web.js';

/** What the engine knows of whatsapp-web.js: types alone. `whatsapp-web.ts` loads the library. */

export type Client = wweb.Client;
export type Page = NonNullable<Client['pupPage']>;
export type PageBrowser = NonNullable<Client['pupBrowser']>;
export type Submission = Parameters<Client['sendMessage']>;

export interface Wiring {
  profileDir: string;
  /** The browser runs and its page is blank still. What it returns is awaited before WhatsApp's page is opened. */
  onBrowser(browser: PageBrowser, page: Page): Promise<void>;
  /** The library could not take hold of the page again after it had been loaded anew. */
  onInjectionFailed(error: unknown): void;
  /** Ends a browser that has been launched but not told of yet. */
  signal: AbortSignal;
}
