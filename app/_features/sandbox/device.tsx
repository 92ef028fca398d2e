import {
  ArrowLeft,
  BatteryFull,
  Phone as PhoneIcon,
  SendHorizontal,
  Signal,
  Video,
  Wifi,
  WifiOff,
} from 'lucide-react';
import { Fragment, useEffect, useRef, useState } from 'react';
import { Form } from '#app/_components/ui/form.tsx';
import { useReadOnly } from '#app/_components/ui/read-only.ts';
import { minuteOf, useNow } from '#app/_components/ui/time.tsx';
import { ackOf } from '#app/_features/chat/ack.ts';
import { Bubble } from '#app/_features/chat/bubble.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { entryContent } from '#server/sandbox/entry-content.ts';
import { dayHeading } from './chat-time.ts';
import { ChatRow, chatLetters } from './chats-card.tsx';
import { LinkScreen } from './link-screen.tsx';
import { type Chat, type ChatMessage, type Phone, usePhoneActions } from './use-phone.ts';
import { sandbox } from './words.ts';

const texts = sandbox.phone;

/** The phone: its chats, one chat, or the screen that links it. */
export function Device({
  number,
  phone,
  chatId,
  onChoose,
}: {
  number: NumberItem;
  phone: Phone | undefined;
  chatId: string | null;
  onChoose: (id: string | null) => void;
}) {
  const now = useNow(10_000);
  const offline = phone !== undefined && phone.state.reach !== 'online';
  const chat = phone?.chats.find(({ id }) => id === chatId);
  const linking = phone !== undefined && phone.state.devices === 0;
  return (
    <section aria-label={texts.label} className="device">
      <div className="screen">
        <div className="flex items-center justify-between pt-[13px] pr-[22px] pb-[5px] pl-7 text-[13.5px] font-semibold tabular-nums">
          <span className="w-16">{minuteOf(now)}</span>
          <span className="island" />
          <span className="flex w-16 items-center justify-end gap-1" aria-hidden="true">
            <Signal className="size-3.5" strokeWidth={2} />
            {offline ? (
              <WifiOff className="size-3.5" strokeWidth={2} />
            ) : (
              <Wifi className="size-3.5" strokeWidth={2} />
            )}
            <BatteryFull className="size-[18px]" strokeWidth={2} />
          </span>
        </div>
        {linking && <LinkScreen number={number} phone={phone} />}
        {!linking && chat && (
          <ChatScreen
            key={chat.id}
            number={number}
            chat={chat}
            offline={offline}
            onBack={() => onChoose(null)}
          />
        )}
        {!linking && !chat && phone && <ChatsScreen phone={phone} onChoose={onChoose} />}
        <div className="grid h-5 shrink-0 place-items-center bg-[var(--chat-bar)]">
          <i className="h-1 w-[120px] rounded-full bg-[var(--chat-ink)]" />
        </div>
      </div>
    </section>
  );
}

function ChatsScreen({ phone, onChoose }: { phone: Phone; onChoose: (id: string) => void }) {
  return (
    <>
      <h2 className="screen-line border-b px-4 pt-2 pb-2.5 text-20!">{texts.chats}</h2>
      <div className="min-h-0 flex-1 overflow-y-auto p-2 [scrollbar-width:none]">
        {phone.chats.length === 0 && (
          <div className="flex h-full flex-col items-center justify-center gap-1 px-8 text-center">
            <p className="text-13" style={{ color: 'var(--chat-meta)' }}>
              {texts.noChats}
            </p>
            <p className="font-medium tabular-nums">{phone.phoneText}</p>
          </div>
        )}
        {phone.chats.map((chat) => (
          <ChatRow key={chat.id} chat={chat} onChoose={() => onChoose(chat.id)} />
        ))}
      </div>
    </>
  );
}

function ChatScreen({
  number,
  chat,
  offline,
  onBack,
}: {
  number: NumberItem;
  chat: Chat;
  offline: boolean;
  onBack: () => void;
}) {
  const isGroup = chat.id.endsWith('@g.us');
  return (
    <>
      <div className="screen-line flex items-center gap-[11px] border-b pt-[7px] pr-4 pb-[9px] pl-2 text-[14.5px] leading-[18px]">
        <button
          type="button"
          aria-label={texts.back}
          onClick={onBack}
          className="grid size-8 place-items-center rounded-full"
          style={{ color: 'var(--chat-meta)' }}
        >
          <ArrowLeft className="size-5" />
        </button>
        <span className="chat-avatar size-[34px] text-12">{chatLetters(chat)}</span>
        <span className="min-w-0 flex-1">
          <b className="block truncate font-semibold tabular-nums">{chat.name}</b>
          <span className="text-12" style={{ color: 'var(--chat-meta)' }}>
            {isGroup ? sandbox.chats.inGroup : offline ? texts.offline : texts.online}
          </span>
        </span>
        <Video className="size-5" aria-hidden="true" style={{ color: 'var(--chat-meta)' }} />
        <PhoneIcon className="size-[18px]" aria-hidden="true" style={{ color: 'var(--chat-meta)' }} />
      </div>
      <Bubbles numberId={number.id} messages={chat.messages} />
      <Composer number={number} chat={chat} disabled={isGroup} />
    </>
  );
}

/** Within this distance of its end, a chat scrolls with new messages. */
const AT_END_PX = 40;

/** The chat's messages, scrolled to the last one unless the user looks further up. */
function Bubbles({ numberId, messages }: { numberId: string; messages: ChatMessage[] }) {
  const body = useRef<HTMLDivElement>(null);
  const lastId = messages.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what moves the view
  useEffect(() => {
    const at = body.current;
    if (at) at.scrollTop = at.scrollHeight;
  }, [lastId]);
  const atEnd = useRef(true);
  const keepEnd = () => {
    const at = body.current;
    if (at && atEnd.current) at.scrollTop = at.scrollHeight;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads nothing but refs
  useEffect(() => {
    const at = body.current;
    if (!at) return;
    const observer = new ResizeObserver(keepEnd);
    observer.observe(at);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={body}
      // A loaded picture makes the chat longer.
      onLoadCapture={keepEnd}
      onScroll={({ currentTarget: at }) => {
        atEnd.current = at.scrollHeight - at.scrollTop - at.clientHeight < AT_END_PX;
      }}
      role="log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={texts.chats}
      className="chat flex min-h-0 flex-1 flex-col gap-1 overflow-y-auto px-3 py-2 [scrollbar-width:none] [&>:first-child]:mt-auto"
    >
      {messages.map((message, index) => {
        const before = messages[index - 1];
        const heading = dayHeading(message.at, texts.today);
        return (
          <Fragment key={message.id}>
            {(!before || dayHeading(before.at, texts.today) !== heading) && (
              <span className="mb-[3px] self-center rounded-3 bg-[var(--chat-in)] px-2.5 py-0.5 text-11 font-medium text-[var(--chat-meta)]">
                {heading}
              </span>
            )}
            <MessageBubble
              numberId={numberId}
              message={message}
              tail={before?.direction !== message.direction}
            />
          </Fragment>
        );
      })}
    </div>
  );
}

function MessageBubble({
  numberId,
  message,
  tail,
}: {
  numberId: string;
  message: ChatMessage;
  tail: boolean;
}) {
  const { shown } = useMe();
  const { id, entry, text } = message;
  const path = `/api/sandbox/${numberId}/media/${encodeURIComponent(id)}`;
  return (
    <Bubble
      content={entry ? entryContent(entry) : { type: 'text', body: text }}
      file={entry?.sha256 ? `${path}?${new URLSearchParams(shown)}` : null}
      bytes={entry?.bytes}
      time={minuteOf(message.at)}
      tail={tail}
      {...(message.direction === 'out' ? { ack: ackOf(message.ack) } : {})}
    />
  );
}

/** Answers as the person at the other end would. */
function Composer({ number, chat, disabled }: { number: NumberItem; chat: Chat; disabled: boolean }) {
  const { receive } = usePhoneActions();
  const readOnly = useReadOnly();
  const [text, setText] = useState('');
  const submit = () => {
    const body = text.trim();
    if (!body) return;
    receive.mutate(
      { numberId: number.id, from: chat.id.slice(0, chat.id.indexOf('@')), body },
      { onSuccess: () => setText('') },
    );
  };
  return (
    <Form
      busy={receive.isPending}
      onSubmit={submit}
      className="flex items-center gap-2 bg-[var(--chat-bar)] px-2.5 pt-[7px] pb-1"
    >
      <input
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={texts.replyLabel}
        placeholder={disabled ? texts.message : texts.replyLabel}
        maxLength={4000}
        disabled={disabled}
        className="h-[38px] min-w-0 flex-1 rounded-full bg-[var(--chat-in)] px-3.5 text-[14px] shadow-[inset_0_0_0_1px_light-dark(oklch(0.9_0.005_85),transparent)] outline-none placeholder:text-[var(--chat-meta)] focus-visible:shadow-[inset_0_0_0_2px_var(--chat-read)] max-md:text-16"
      />
      <button
        type="submit"
        aria-label={texts.reply}
        disabled={disabled || readOnly || !text.trim()}
        className="grid size-[38px] shrink-0 place-items-center rounded-full bg-[var(--chat-read)] text-[light-dark(#fff,oklch(0.2_0.03_230))] disabled:opacity-50"
      >
        <SendHorizontal className="size-[18px]" />
      </button>
    </Form>
  );
}
