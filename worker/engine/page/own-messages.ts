/**
 * Finds a message of ours inside WhatsApp's page. It does not use the library's functions for chats: on builds that
 * renamed the text of a key, `getChatById` rejects for each chat that has a latest message.
 */

interface Wid {
  toString(): string;
}
interface Message {
  id: { id: string; fromMe: boolean };
  ack?: number;
}
interface Chat {
  id: Wid;
  msgs: { getModelsArray(): Message[] };
}
interface Modules {
  WAWebCollections: {
    Msg: {
      getModelsArray(): Message[];
      getMessagesById(texts: readonly string[]): Promise<{ messages: Message[] }>;
    };
    Chat: { get(wid: Wid): Chat | undefined };
  };
  WAWebWidFactory: { createWid(chatId: string): Wid };
  WAWebApiContact: {
    getCurrentLid(wid: Wid): Wid | undefined;
    getPhoneNumber?(lid: Wid): Wid | undefined;
  };
  WAWebUserPrefsMeUser: { getMaybeMePnUser(): Wid | null; getMaybeMeLidUser(): Wid | null };
  WAWebChatLoadMessages: { loadEarlierMsgs(params: { chat: Chat }): Promise<Message[] | undefined> };
  WAWebSchemaMessage: {
    getMessageTable(): { get(text: string): Promise<{ ack?: number } | undefined> };
  };
}
interface SitePage {
  require<K extends keyof Modules>(name: K): Modules[K];
}

/**
 * The highest positive ack of our message with this bare ID, else its lowest ack; null if the page lacks it.
 * Searches loaded messages, all possible keys, the page's table and the chat's last `earlierMax` messages. Rejects
 * if it is not found and a search failed. Sent into the page as text: uses only arguments and globals.
 */
export async function findOwnMessage(wanted: {
  waMessageId: string;
  chatId: string;
  earlierMax: number;
}): Promise<number | null> {
  const { waMessageId, chatId, earlierMax } = wanted;
  const site = window as unknown as SitePage;
  const acks: number[] = [];
  const failures: unknown[] = [];
  const note = (messages: readonly Message[]) => {
    for (const { id, ack } of messages) if (id.fromMe && id.id === waMessageId) acks.push(ack ?? 0);
  };
  const attempt = async (search: () => unknown) => {
    try {
      await search();
    } catch (error) {
      failures.push(error);
    }
  };
  const accepted = () => acks.some((ack) => ack > 0);
  const { Msg, Chat } = site.require('WAWebCollections');

  await attempt(() => note(Msg.getModelsArray()));
  if (accepted()) return Math.max(...acks);

  const wid = site.require('WAWebWidFactory').createWid(chatId);
  const isGroup = chatId.endsWith('@g.us');
  const prefs = site.require('WAWebUserPrefsMeUser');
  const mine = [prefs.getMaybeMePnUser(), prefs.getMaybeMeLidUser()].flatMap((me) =>
    me ? [String(me)] : [],
  );
  const contacts = site.require('WAWebApiContact');
  const otherOf = () =>
    chatId.endsWith('@lid') ? contacts.getPhoneNumber?.(wid) : contacts.getCurrentLid(wid);
  const other = isGroup ? undefined : otherOf();
  const withMe = mine.includes(chatId);
  const remotes = withMe ? [...mine] : [chatId, ...(other ? [String(other)] : [])];
  const ends = isGroup ? mine.map((me) => `_${me}`) : [withMe ? '_out' : ''];
  for (const text of remotes.flatMap((to) => ends.map((end) => `true_${to}_${waMessageId}${end}`))) {
    await attempt(async () => note((await Msg.getMessagesById([text])).messages));
    await attempt(async () => {
      const row = await site.require('WAWebSchemaMessage').getMessageTable().get(text);
      if (row) acks.push(row.ack ?? 0);
    });
  }
  if (accepted()) return Math.max(...acks);

  await attempt(async () => {
    const chat = Chat.get(wid) ?? (other && Chat.get(other));
    if (!chat) return;
    const listed = chat.msgs.getModelsArray();
    note(listed);
    // Once the message is found, older messages add nothing.
    for (let seen = listed.length; acks.length === 0 && seen < earlierMax; ) {
      const earlier = (await site.require('WAWebChatLoadMessages').loadEarlierMsgs({ chat })) ?? [];
      if (earlier.length === 0) return;
      note(earlier);
      seen += earlier.length;
    }
  });
  if (accepted()) return Math.max(...acks);
  if (acks.length > 0) return Math.min(...acks); // refused, or added and not yet acknowledged
  if (failures.length > 0) throw failures[0];
  return null;
}
