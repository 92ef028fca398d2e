import type { Client } from './whatsapp-web.ts';

/** How many own messages of a chat are looked through. */
const LISTED = 50;

/**
 * The ack of a message of ours as the page has it on file; null when it is in neither place where it could
 * be. Its full id is known for certain only in a private chat that is not addressed by LID, so the chat's
 * own list decides, compared by the bare id.
 */
export async function findMessage(
  client: Client,
  message: { waMessageId: string; chatId: string },
): Promise<number | null> {
  const { waMessageId, chatId } = message;
  const filed = await client.getMessageById(`true_${chatId}_${waMessageId}`).catch(() => null);
  if (filed) return filed.ack;
  const chat = await findChat(client, chatId);
  if (!chat) return null;
  const own = await chat.fetchMessages({ limit: LISTED, fromMe: true });
  return own.find(({ id }) => id.id === waMessageId)?.ack ?? null;
}

/** A page that has just started may have to learn a person's LID before it finds their chat. */
async function findChat(client: Client, chatId: string) {
  const find = () =>
    client.getChatById(chatId).catch((error: Error) => {
      if (/No LID for user|Chat not found/i.test(error.message)) return undefined;
      throw error;
    });
  const chat = await find();
  if (chat || !chatId.endsWith('@c.us')) return chat;
  return (await client.getNumberId(chatId)) ? find() : undefined;
}
