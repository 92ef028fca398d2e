import type wweb from 'whatsapp-web.js';

/** What the engine knows of whatsapp-web.js: only types. `whatsapp-web.ts` loads the library. */

export type Client = wweb.Client;
export type Page = NonNullable<Client['pupPage']>;
export type PageBrowser = NonNullable<Client['pupBrowser']>;
export type Submission = Parameters<Client['sendMessage']>;

export interface Wiring {
  profileDir: string;
  /** The browser runs and its page is still blank. WhatsApp's page opens once the returned promise resolves. */
  onBrowser(browser: PageBrowser, page: Page): Promise<void>;
  /** The library could not attach to the page again after a reload. */
  onInjectionFailed(error: unknown): void;
  /** Ends a browser that was launched but not reported yet. */
  signal: AbortSignal;
}
