import clsx from 'clsx';
import { Card, CardHead } from '#app/_components/ui/card.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { ackOf } from '#app/_features/chat/ack.ts';
import { letters } from '#app/_features/chat/letters.ts';
import { Ticks } from '#app/_features/chat/ticks.tsx';
import { KIND_LABELS } from '#app/_features/kinds/kind-labels.ts';
import { clockOrDay } from './chat-time.ts';
import type { Chat, ChatMessage, Phone } from './use-phone.ts';
import { sandbox } from './words.ts';

const texts = sandbox.chats;

/** All chats of the phone. */
export function ChatsCard({
  phone,
  chatId,
  onChoose,
}: {
  phone: Phone | undefined;
  chatId: string | null;
  onChoose: (id: string) => void;
}) {
  return (
    <Card className="flex-1">
      <CardHead title={texts.title}>
        <span className="text-12 text-ink-3 tabular-nums">{phone?.chats.length ?? ''}</span>
      </CardHead>
      {!phone && <SkeletonRows rows={3} />}
      {phone?.chats.length === 0 && <p className="px-4 pt-2 pb-4 text-13 text-ink-2">{texts.empty}</p>}
      <ul className="p-2">
        {phone?.chats.map((chat) => (
          <li key={chat.id}>
            <ChatRow chat={chat} chosen={chat.id === chatId} onChoose={() => onChoose(chat.id)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function ChatRow({
  chat,
  chosen = false,
  onChoose,
}: {
  chat: Chat;
  chosen?: boolean;
  onChoose: () => void;
}) {
  const last = chat.messages.at(-1);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={clsx(
        'flex w-full items-center gap-2.5 rounded-3 px-2 py-[7px] text-left text-13 hover:bg-hover',
        chosen && 'bg-active',
      )}
    >
      <span
        aria-hidden="true"
        className="grid size-8 shrink-0 place-items-center rounded-full bg-brand-bg text-11 font-semibold tracking-normal text-brand-fg shadow-[inset_0_0_0_1px_var(--brand-line)]"
      >
        {chatLetters(chat)}
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-2">
          <b className="truncate font-medium tabular-nums">{chat.name}</b>
          {last && <span className="shrink-0 text-12 text-ink-3 tabular-nums">{clockOrDay(last.at)}</span>}
        </span>
        {last && (
          <span className="flex items-center gap-1 text-12 text-ink-3">
            {last.direction === 'out' && <Ticks ack={ackOf(last.ack)} />}
            <span className="truncate">{lineOf(last)}</span>
          </span>
        )}
      </span>
    </button>
  );
}

/** The last two digits distinguish numbers without a name. */
export function chatLetters(chat: Chat): string {
  return chat.name.startsWith('+') ? chat.name.replace(/\D/g, '').slice(-2) : letters(chat.name);
}

function lineOf(message: ChatMessage): string {
  const kind = KIND_LABELS[message.type];
  if (message.type === 'text') return message.text;
  return message.text ? `${kind}: ${message.text}` : kind;
}
