'use client';

import clsx from 'clsx';
import { useParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { Page } from '#app/_features/shell/page.tsx';
import { FilterBar } from './filter-bar.tsx';
import { MessageList } from './message-list.tsx';
import { messages } from './words.ts';

/** The list, and the selected message beside it. */
export function MessagesFrame({ children }: { children: ReactNode }) {
  const { messageId } = useParams<{ messageId?: string }>();
  return (
    <Page crumbs={[{ label: messages.title }]} width="full">
      <div
        className={clsx(
          'grid min-h-0 h-[calc(100dvh-126px-var(--bar))] md:h-[calc(100dvh-66px-var(--bar))]',
          messageId && 'lg:grid-cols-[minmax(0,1fr)_404px]',
        )}
      >
        <main id="content" className="@container flex min-h-0 min-w-0 flex-col">
          <h1 className="sr-only">{messages.title}</h1>
          <FilterBar />
          <MessageList />
        </main>
        {children}
      </div>
    </Page>
  );
}
