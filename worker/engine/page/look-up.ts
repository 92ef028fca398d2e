import type { Address } from '#server/core/recipient.ts';

/** Looks up people inside WhatsApp's page. Each function is sent there as text. */

interface Wid {
  toString(): string;
}
interface Modules {
  WAWebWidFactory: { createWid(chatId: string): Wid };
  WAWebQueryExistsJob: { queryWidExists(wid: Wid): Promise<unknown> };
  WAWebApiContact: { getCurrentLid(wid: Wid): Wid | undefined };
  WAWebCollections: { Chat: { get(wid: Wid): unknown } };
}
interface SitePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  wirebirdLookedUp?(): void;
}

/** A person's address on WhatsApp, or null; an unexpected answer; or a refusal. */
export type Found =
  | { wid: Address | null }
  | { unexpected: string }
  | { status: number | null; text: string };

/** Asks WhatsApp whether a person is there. Refusals are caught here, because an error loses its status outside. */
export async function lookUpPerson(chatId: string): Promise<Found> {
  const site = window as unknown as SitePage;
  try {
    const wid = site.require('WAWebWidFactory').createWid(chatId);
    const found: unknown = await site.require('WAWebQueryExistsJob').queryWidExists(wid);
    if (found === null) return { wid: null };
    site.wirebirdLookedUp?.();
    const text = String((found as { wid?: Wid } | undefined)?.wid);
    if (/^\d+@(c\.us|lid)$/.test(text)) return { wid: text as Address };
    return { unexpected: `${typeof found} with ${Object.keys(Object(found)).join(', ') || 'nothing'}` };
  } catch (error) {
    const { status = null } = error as { status?: number };
    return { status, text: String(error) };
  }
}

/** Can the page address this person without asking WhatsApp? */
export function canAddressPerson(chatId: string): boolean {
  const site = window as unknown as SitePage;
  const wid = site.require('WAWebWidFactory').createWid(chatId);
  if (site.require('WAWebCollections').Chat.get(wid)) return true;
  return site.require('WAWebApiContact').getCurrentLid(wid) !== undefined;
}
