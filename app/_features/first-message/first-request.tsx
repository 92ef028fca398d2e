import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { MessageBadge } from '#app/_components/ui/states.tsx';
import { minuteOf } from '#app/_components/ui/time.tsx';
import { ACK_OF } from '#app/_features/chat/ack.ts';
import { Bubble } from '#app/_features/chat/bubble.tsx';
import { curlCommand } from '#app/_features/keys/curl-command.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { useTryIt } from '#app/_features/try/use-try-it.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { isAccepted } from '#server/core/message-state.ts';
import type { SetUp } from './set-up.ts';
import { firstMessage } from './words.ts';

const texts = firstMessage.send;
const LOOK_MS = 1000;

/** A first message to send, and the phone beside it. A message sent from a terminal appears too. */
export function FirstRequest({ numberId, apiKey }: SetUp) {
  const request = exampleRequest('text', PLACEHOLDER_FILES);
  const send = useTryIt();
  const refused = send.data && send.data.status >= 300 ? JSON.parse(send.data.body).error : null;
  return (
    <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-2">
      <Section title={texts.title}>
        <Card className="overflow-hidden">
          {apiKey === null ? <Trial request={request} /> : <Command apiKey={apiKey} request={request} />}
          <CardFoot className="flex-wrap gap-2">
            <span>{apiKey === null ? texts.trialHint : texts.hint}</span>
            <Button
              variant="primary"
              size="small"
              busy={send.isPending}
              onClick={() => send.mutate({ numberId, type: 'text', request, async: false })}
            >
              <Send />
              {texts.do}
            </Button>
          </CardFoot>
        </Card>
        <Failure error={send.problem ?? refused} assertive />
      </Section>
      <Arrival numberId={numberId} trial={apiKey === null} />
    </div>
  );
}

type TextRequest = ReturnType<typeof exampleRequest>;

/** The key, shown once, and the same message as a command. */
function Command({ apiKey, request }: { apiKey: string; request: TextRequest }) {
  const me = useMe();
  const command = curlCommand(
    { base: `${me.publicUrl}/v1`, kind: 'text', request },
    { key: apiKey, headers: [`Idempotency-Key: first-message-${apiKey.slice(-6)}`] },
  );
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line-soft py-2 pr-2 pl-4">
        <span className="min-w-0 flex-1">
          <span className="block text-12 text-ink-3">{texts.key}</span>
          <output className="block font-mono text-12 break-all" data-testid="api-key">
            {apiKey}
          </output>
        </span>
        <CopyButton text={apiKey} label={texts.copyKey} />
      </div>
      <div className="relative">
        <Code text={command} />
        <CopyButton text={command} label={texts.copyCommand} className="absolute top-2 right-2 bg-raised" />
      </div>
    </>
  );
}

/** The message itself, because the API accepts no requests without a plan. */
function Trial({ request }: { request: TextRequest }) {
  return (
    <DescriptionList
      rows={[
        [texts.to, `+${request.to}`],
        [texts.body, 'body' in request ? request.body : ''],
      ]}
    />
  );
}

/** The number's newest message, as the phone shows it, and where to go next once it is there. */
function Arrival({ numberId, trial }: { numberId: string; trial: boolean }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.messages.list.queryOptions({ numberId }, { refetchInterval: LOOK_MS }));
  const newest = data?.rows[0];
  const { data: message } = useQuery({
    ...trpc.messages.get.queryOptions({ messageId: newest?.id ?? '' }),
    enabled: newest !== undefined,
    refetchInterval: LOOK_MS,
  });
  const { phone, arrived } = firstMessage;
  return (
    <Section title={phone.title}>
      <div className="chat flex min-h-[120px] flex-col justify-center rounded-4 border border-line px-4 py-[18px]">
        {message?.content ? (
          <Bubble
            tail
            content={message.content}
            time={minuteOf(new Date(message.sentAt ?? message.createdAt))}
            ack={ACK_OF[message.status]}
          />
        ) : (
          <p className="text-center text-13" style={{ color: 'var(--chat-meta)' }}>
            {phone.empty}
          </p>
        )}
      </div>
      {message && isAccepted(message.status) && (
        <Note
          tone="ok"
          title={
            <span className="flex items-center gap-2">
              {arrived.title} <MessageBadge status={message.status} />
            </span>
          }
          action={
            <span className="flex flex-wrap gap-2">
              {(trial ? arrived.trialNext : arrived.next).map(({ href, word }) => (
                <ButtonLink key={href} href={href}>
                  {word}
                </ButtonLink>
              ))}
            </span>
          }
        >
          {trial ? arrived.trialText : arrived.text}
        </Note>
      )}
    </Section>
  );
}
