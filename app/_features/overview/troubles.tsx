'use client';

import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardHead } from '#app/_components/ui/card.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MESSAGE_TEXTS } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { overview } from './words.ts';

const texts = overview.troubles;

type Trouble = Outputs['account']['overview']['troubles'][number];

/** The latest failed and unknown messages, with what to do. One that is sent again or dismissed disappears. */
export function Troubles({ troubles }: { troubles: Outputs['account']['overview']['troubles'] }) {
  return (
    <Card className="flex flex-col">
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
      {troubles.length === 0 ? (
        <p className="flex flex-1 items-center gap-2 px-4 py-6 text-13 text-ink-2">
          <StatusIcon shape="done" tone="ok" />
          {texts.empty}
        </p>
      ) : (
        <ul className="mt-2">
          {troubles.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ message }: { message: Trouble }) {
  const trpc = useTRPC();
  const { refresh, failed } = useFeedback();
  const dismiss = useMutation(
    trpc.messages.dismiss.mutationOptions({
      onSuccess: () => refresh({ queryKey: trpc.account.overview.queryKey() }),
      onError: failed,
    }),
  );
  return (
    <li className="relative border-line-soft [&+&]:border-t">
      <Link href={`/messages/${message.id}`} className="flex gap-2.5 px-4 py-3 text-13 hover:bg-hover">
        <StatusIcon {...MESSAGE_SIGNS[message.status]} className="mt-[3px]" />
        <span className="min-w-0 flex-1">
          <span className="flex justify-between gap-2">
            <b className="truncate font-medium">{MESSAGE_TEXTS[message.status].name}</b>
            <Time at={message.createdAt} seconds={false} className="shrink-0 text-12 text-ink-3" />
          </span>
          <span className="block truncate pr-20 text-12 leading-7! text-ink-2 tabular-nums">
            {message.toText}
          </span>
          <span className="block text-12 text-ink-3">
            {message.error ?? `${MESSAGE_TEXTS[message.status].means} ${MESSAGE_TEXTS[message.status].todo}`}
          </span>
        </span>
      </Link>
      <Button
        variant="ghost"
        size="small"
        className="absolute top-8 right-2"
        aria-label={texts.dismissOf(message.toText)}
        busy={dismiss.isPending}
        onClick={() => dismiss.mutate({ messageId: message.id })}
      >
        {texts.dismiss}
      </Button>
    </li>
  );
}
