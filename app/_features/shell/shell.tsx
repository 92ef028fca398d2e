'use client';

import type { ReactNode } from 'react';
import { ReadOnly } from '#app/_components/ui/read-only.ts';
import { RenderedAt } from '#app/_components/ui/time.tsx';
import { ToastProvider } from '#app/_components/ui/toast.tsx';
import { ConfirmPassword } from '#app/_features/account/confirm-password.tsx';
import { AlertToasts } from '#app/_features/alerts/alert-toasts.tsx';
import { LiveProvider } from '#app/_trpc/live.tsx';
import { ApiProvider } from '#app/_trpc/provider.tsx';
import { AwayNote } from './away-note.tsx';
import { type Me, MeProvider } from './me.tsx';
import { NarrowTabs, NarrowTop } from './narrow.tsx';
import { SearchProvider } from './search.tsx';
import { Sidebar } from './sidebar.tsx';
import { SignedOut } from './signed-out.tsx';
import { ViewBar } from './view-bar.tsx';
import { shell } from './words.ts';

/** The frame around every page of a signed-in user. `api`: the address of the API for the account of `me`. */
export function Shell({
  me,
  api,
  renderedAt,
  children,
}: {
  me: Me;
  api: string;
  renderedAt: string;
  children: ReactNode;
}) {
  return (
    <RenderedAt value={renderedAt}>
      <ApiProvider url={api}>
        <MeProvider me={me}>
          <LiveProvider>
            <ReadOnly value={me.viewing}>
              <ToastProvider>
                <SearchProvider>
                  <a
                    href="#content"
                    className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-3 focus:bg-overlay focus:px-3 focus:py-2 focus:shadow-pop"
                  >
                    {shell.skip}
                  </a>
                  <div className={me.viewing ? '[--bar:44px]' : '[--bar:0px]'}>
                    {me.viewing && <ViewBar />}
                    <div className="grid min-h-[calc(100dvh-var(--bar))] md:grid-cols-[236px_minmax(0,1fr)]">
                      <Sidebar />
                      <div className="flex min-w-0 flex-col bg-surface max-md:min-h-[calc(100dvh-var(--bar))] max-md:pb-[72px] md:m-2 md:ml-0 md:rounded-4 md:border md:border-line">
                        <NarrowTop />
                        {children}
                      </div>
                    </div>
                  </div>
                  <NarrowTabs />
                  <AwayNote />
                  <AlertToasts />
                </SearchProvider>
                <ConfirmPassword />
                <SignedOut />
              </ToastProvider>
            </ReadOnly>
          </LiveProvider>
        </MeProvider>
      </ApiProvider>
    </RenderedAt>
  );
}
