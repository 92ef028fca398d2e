import type { MessageType } from './message.ts';
import type { CommsMode } from './page-build.ts';

/**
 * The parts of the self-test of a page of WhatsApp Web, in their order. A kind of message is a part as well, and so is a
 * text to a group, if the page has a chat with a group.
 */
export const PAGE_CHECKS = ['functions', 'gate', 'models', 'ping', 'canary'] as const;
export type PageCheckName = (typeof PAGE_CHECKS)[number] | MessageType | 'group';

export interface PageCheckRow {
  check: PageCheckName;
  /** What differs, in a clause; null if all is as expected. */
  failed: string | null;
}

/** The self-test of a number's page, run on request. Nothing is sent or uploaded. */
export interface PageCheck {
  build: string;
  comms: CommsMode;
  rows: PageCheckRow[];
  /** What each module that the engine uses exports, or why it is not there. */
  modules: Record<string, string>;
}
