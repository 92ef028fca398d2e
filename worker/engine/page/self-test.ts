/**
 * The self-test of a page, at each start and before anything is sent. Each function is sent into the page as text, so
 * it may use only its arguments and the page's globals.
 */

interface Key {
  id: string;
  fromMe: boolean;
}
interface Message {
  id: Key;
  ack?: unknown;
  type?: string;
  set(changes: object): unknown;
}
interface Emitter {
  on(name: string, listener: () => void): unknown;
  off(name: string, listener: () => void): unknown;
}
interface KeyClass {
  new (parts: object): Key;
  fromString(text: string): Key;
}
type Job = (request: { type: 'Msg'; data: object }, reporters: object) => Promise<unknown>;

interface Modules {
  WAWebCollections: {
    Msg: Emitter & { getModelsArray(): Message[]; get(text: string): Message | undefined };
  };
  WAWebMsgKey: KeyClass;
  WAWebWidFactory: { createWid(chatId: string): object };
  WAWebUserPrefsMeUser: { getMaybeMePnUser(): object | null };
  WAWebSocketModel: { Socket: Emitter & { set(changes: object): unknown } };
  WAWebCmd: { Cmd: Emitter & { trigger(name: string): unknown } };
  WAWebSendMsgJob: { encryptAndSendMsg: Job };
}
interface SitePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  require(name: string): Record<string, unknown>;
  onMessageAckEvent?(...event: unknown[]): void;
}

/** Functions of the page that every message needs, by module. What a kind needs is tested by building one. */
export const NEEDED: readonly (readonly [module: string, name: string])[] = [
  ['WAWebSendMsgChatAction', 'addAndSendMsgToChat'],
  ['WAWebSendMsgJob', 'encryptAndSendMsg'],
  ['WAComms', 'isSocketConnected'],
  ['WAComms', 'sendPing'],
  ['WAWebFindChatAction', 'findOrCreateLatestChat'],
  ['WAWebQueryExistsJob', 'queryWidExists'],
  ['WAWebChatLoadMessages', 'loadEarlierMsgs'],
  ['WAWebApiContact', 'getCurrentLid'],
  ['WAWebUserPrefsMeUser', 'getMaybeMePnUser'],
];

/** A number that nobody has, for a key that is built and never used. */
const NOBODY = '12025550199@c.us';
export const INVENTED = { chatId: NOBODY, id: '3EB0WIREBIRDSELFTEST00' };

/** Before the gate is installed: null if each function exists, otherwise what is missing. */
export function missingFunction(needed: typeof NEEDED): string | null {
  const site = window as unknown as SitePage;
  for (const [module, name] of needed) {
    try {
      if (typeof site.require(module)[name] !== 'function') return `the function ${name} is missing`;
    } catch {
      return `the module ${module} is missing`;
    }
  }
  return null;
}

/**
 * Whether the job that writes a stanza is behind our gate: it must refuse a message, here one without a recipient, that
 * did not pass the gate. The worker is also notified of it.
 */
export async function isJobGated(id: string, refusal: string): Promise<boolean> {
  const { encryptAndSendMsg } = (window as unknown as SitePage).require('WAWebSendMsgJob');
  try {
    await encryptAndSendMsg({ type: 'Msg', data: { id: { id }, type: 'chat' } }, {});
    return false;
  } catch (error) {
    return String(error).includes(refusal);
  }
}

/**
 * Tests what the adapter relies on, synchronously and with the gate installed; nothing is sent. Null if all is as
 * expected, otherwise what has changed, as a readable text.
 */
export function testPage({ chatId, id }: typeof INVENTED): string | null {
  const site = window as unknown as SitePage;
  const me = site.require('WAWebUserPrefsMeUser').getMaybeMePnUser();
  const MsgKey = site.require('WAWebMsgKey');
  const to = site.require('WAWebWidFactory').createWid(chatId);
  const key = new MsgKey({ from: me, to, id, selfDir: 'out' });
  const text = String(key);
  const copies = Object.values(key).filter((value) => value === text).length;
  const reads = text === `true_${chatId}_${id}` && copies === 1 && MsgKey.fromString(text).id === id;
  if (!reads || key.id !== id || key.fromMe !== true) return 'keys of messages read differently';

  const { Msg } = site.require('WAWebCollections');
  const mine = Msg.getModelsArray().filter((message) => message.id.fromMe);
  // Notices have no acknowledgement.
  const own = mine.find(({ ack }) => typeof ack === 'number') ?? mine.find(({ type }) => type === 'chat');
  if (own) {
    if (typeof own.ack !== 'number' || typeof own.id.id !== 'string')
      return 'messages are stored differently';
    if (Msg.get(String(own.id)) !== own) return 'messages are not found by their keys';
    // The event must reach us. Our handler would take it for a real acknowledgement.
    let events = 0;
    let reported = 0;
    const count = () => void events++;
    const report = site.onMessageAckEvent;
    const { ack } = own;
    site.onMessageAckEvent = () => void reported++;
    Msg.on('change:ack', count);
    try {
      own.set({ ack: ack + 1 });
      own.set({ ack });
    } finally {
      Msg.off('change:ack', count);
      if (report) site.onMessageAckEvent = report;
      else delete site.onMessageAckEvent;
    }
    if (events !== 2 || reported < 1) return 'acknowledgements are not reported';
  }

  const { Socket } = site.require('WAWebSocketModel');
  const { Cmd } = site.require('WAWebCmd');
  let reports = 0;
  const count = () => void reports++;
  Socket.on('change:retryTimestamp', count);
  Cmd.on('wirebird_self_test', count);
  Socket.set({ retryTimestamp: Date.now() });
  Cmd.trigger('wirebird_self_test');
  Socket.off('change:retryTimestamp', count);
  Cmd.off('wirebird_self_test', count);
  return reports === 2 ? null : 'the state of the connection is not reported';
}

/** How many messages the page holds. */
export function countMessages(): number {
  return (window as unknown as SitePage).require('WAWebCollections').Msg.getModelsArray().length;
}

/** Is this message in the page? */
export function isAdded(id: string): boolean {
  const messages = (window as unknown as SitePage).require('WAWebCollections').Msg.getModelsArray();
  return messages.some((message) => message.id.id === id);
}
