'use client';

import { Card, CardHead } from '#app/_components/ui/card.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MESSAGE_TEXTS } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { overview } from './words.ts';

const texts = overview.troubles;

/** The latest messages that failed or are unknown, each with what to do. */
export function Troubles({ troubles }: { troubles: Outputs['account']['overview']['troubles'] }) {
  return (
    <Card className="flex flex-col">
      <CardHead title={texts.title}>
        {troubles.length > 0 && (
          <Link href="/messages?status=failed" className="text-12 font-medium text-brand-fg hover:underline">
            {texts.all}
          </Link>
        )}
      </CardHead>
      {troubles.length === 0 ? (
        <p className="flex flex-1 items-center gap-2 px-4 py-6 text-13 text-ink-2">
          <StatusIcon shape="done" tone="ok" />
          {texts.empty}
        </p>
      ) : (
        <ul className="mt-2">
          {troubles.map((message) => (
            <li key={message.id} className="border-line-soft [&+&]:border-t">
              <Link
                href={`/messages/${message.id}`}
                className="flex gap-2.5 px-4 py-3 text-13 hover:bg-hover"
              >
                <StatusIcon {...MESSAGE_SIGNS[message.status]} className="mt-[3px]" />
                <span className="min-w-0 flex-1">
                  <span className="flex justify-between gap-2">
                    <b className="truncate font-medium">
                      {message.status === 'unknown' ? texts.unknown : texts.failed}
                    </b>
                    <Time at={message.createdAt} seconds={false} className="shrink-0 text-12 text-ink-3" />
                  </span>
                  <span className="block text-12 text-ink-2 tabular-nums">{message.toText}</span>
                  <span className="mt-[3px] block text-12 text-ink-3">
                    {message.error ??
                      `${MESSAGE_TEXTS[message.status].means} ${MESSAGE_TEXTS[message.status].todo}`}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
