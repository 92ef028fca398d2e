import { type ShownKindState, shownKinds } from '#server/core/build-kinds.ts';
import { failingSentence } from '#server/core/failing-kinds.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import { listKindsOfNumber } from './queries/build-kinds.ts';

export interface NumberKinds {
  kinds: Record<MessageType, ShownKindState>;
  /** Which of them cannot be sent, as a sentence for people; null if none fails. */
  failing: string | null;
}

/** Which kinds of messages a number can send on its build of WhatsApp Web. */
export async function numberKinds({ database, numberId }: NumberScope): Promise<NumberKinds> {
  const known = await listKindsOfNumber(database.db, { numberId });
  const kinds = shownKinds(known);
  const failing = MESSAGE_TYPES.filter((type) => kinds[type] === 'failing');
  const [first] = known;
  return {
    kinds,
    failing: first && failing.length > 0 ? failingSentence({ build: first.version, kinds: failing }) : null,
  };
}
