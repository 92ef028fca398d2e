'use client';

import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, CardHead } from '#app/_components/ui/card.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MESSAGE_TEXTS } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useSendAgain } from '#app/_features/messages/use-send-again.tsx';
import { useCanSend, WhyNotSending } from '#app/_features/plan/can-send.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { overview } from './words.ts';

const UnsentRows = lazy(() => import('./unsent-rows.tsx'));
const texts = overview.troubles;

type Trouble = Outputs['account']['overview']['troubles'][number];

/**
 * Refused requests, and the latest failed and unknown messages, with what to do. A message that is sent again or
 * dismissed disappears.
 */
export function Troubles({
  troubles,
  unsent,
  handled: allHandled,
}: Pick<Outputs['account']['overview'], 'troubles' | 'unsent' | 'handled'>) {
  const card = useRef<HTMLElement>(null);
  const handled = useRef(false);
  const canSend = useCanSend();
  // The focused button disappears with its message. Without this, the keyboard starts again at the top of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at after each change of the list
  useEffect(() => {
    if (!handled.current || document.activeElement !== document.body) return;
    handled.current = false;
    card.current?.focus();
  }, [troubles]);
  return (
    <Card ref={card} tabIndex={-1} aria-label={texts.title} className="flex flex-col outline-none">
      <CardHead title={texts.title}>
        <span className="flex flex-wrap justify-end gap-x-3">
          {[...new Set(troubles.map(({ status }) => status))].map((status) => (
            <Link
              key={status}
              href={`/messages?status=${status}`}
              className="text-12 font-medium text-brand-fg hover:underline"
            >
              {texts.all(MESSAGE_TEXTS[status].name)}
            </Link>
          ))}
        </span>
      </CardHead>
      {troubles.length > 0 && !canSend && <WhyNotSending className="px-4 pt-2" />}
      {troubles.length + unsent.length === 0 ? (
        <p className="flex flex-1 items-center gap-2 px-4 py-6 text-13 text-ink-2">
          <StatusIcon shape="done" tone="ok" />
          {allHandled ? texts.handled : texts.empty}
        </p>
      ) : (
        <ul className="mt-2">
          {unsent.length > 0 && (
            <Suspense>
              <UnsentRows unsent={unsent} />
            </Suspense>
          )}
          {troubles.map((message) => (
            <Row
              key={message.id}
              message={message}
              refused={!canSend}
              onHandled={() => {
                handled.current = true;
              }}
            />
          ))}
        </ul>
      )}
      {troubles.length > 0 && (
        <CardFoot>
          <TimesIn />
        </CardFoot>
      )}
    </Card>
  );
}

function Row({
  message,
  refused,
  onHandled,
}: {
  message: Trouble;
  /** Nothing can be sent now. */
  refused: boolean;
  onHandled: () => void;
}) {
  const trpc = useTRPC();
  const { refresh, failed } = useFeedback();
  const leave = () => {
    onHandled();
    return refresh({ queryKey: trpc.account.overview.queryKey() });
  };
  const dismiss = useMutation(trpc.messages.dismiss.mutationOptions({ onSuccess: leave, onError: failed }));
  const again = useSendAgain(message, leave);
  const { id, status, toText } = message;
  const { name, means, todo } = MESSAGE_TEXTS[status];
  return (
    <li className="relative border-line-soft hover:bg-hover [li+&]:border-t">
      <Link
        href={`/messages/${id}`}
        className="flex gap-2.5 px-4 pt-3 text-13 before:absolute before:inset-0"
      >
        <StatusIcon {...MESSAGE_SIGNS[status]} className="mt-[3px]" />
        <span className="min-w-0 flex-1">
          <span className="flex justify-between gap-2">
            <b className="truncate font-medium">{name}</b>
            <Time at={message.at} seconds={false} dated className="shrink-0 text-12 text-ink-3" />
          </span>
          <span className="block truncate text-12 text-ink-2 tabular-nums">{toText}</span>
          <span className="block truncate text-12 text-ink-2">
            {[message.reference, message.preview].filter((part) => part !== null).join(' · ')}
          </span>
          <span className="block text-12 text-ink-3">{message.error ?? `${means} ${todo}`}</span>
        </span>
      </Link>
      <div className="relative ml-auto flex w-fit gap-1 px-2 pb-2">
        {message.preview !== null && (
          <Button
            changes
            disabled={refused}
            variant="ghost"
            size="small"
            aria-label={texts.againOf(toText)}
            onClick={again.show}
          >
            {texts.again}
          </Button>
        )}
        <Button
          variant="ghost"
          size="small"
          aria-label={texts.dismissOf(toText)}
          busy={dismiss.isPending}
          onClick={() => dismiss.mutate({ messageId: id })}
        >
          {texts.dismiss}
        </Button>
      </div>
      {again.dialog}
    </li>
  );
}
