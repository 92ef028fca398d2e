import type wweb from 'whatsapp-web.js';

/** The types of whatsapp-web.js that the engine uses. Only `whatsapp-web.ts` loads the library. */

export type Client = wweb.Client;
export type Page = NonNullable<Client['pupPage']>;
export type PageBrowser = NonNullable<Client['pupBrowser']>;

export interface Wiring {
  profileDir: string;
  /** The browser runs and its page is blank. WhatsApp's page opens once the returned promise resolves. */
  onBrowser(browser: PageBrowser, page: Page): Promise<void>;
  /** The library could not inject itself again after a reload. */
  onInjectionFailed(error: unknown): void;
  /** Kills a browser that is being launched. */
  signal: AbortSignal;
}
