'use client';

import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { ReadOnly } from '#app/_components/ui/read-only.ts';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { minuteOf, RenderedAt, useNow } from '#app/_components/ui/time.tsx';
import { ToastProvider } from '#app/_components/ui/toast.tsx';
import { ConfirmPassword } from '#app/_features/account/confirm-password.tsx';
import { AlertToasts } from '#app/_features/alerts/alert-toasts.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { LiveProvider, useLiveness } from '#app/_trpc/live.tsx';
import { ApiProvider } from '#app/_trpc/provider.tsx';
import { keepInput } from '#app/_trpc/sign-in-again.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { type Me, MeProvider, useMe } from './me.tsx';
import { NarrowTabs, NarrowTop } from './narrow.tsx';
import { SearchProvider } from './search.tsx';
import { Sidebar } from './sidebar.tsx';
import { frameNotes, shell } from './words.ts';

const SignedOutDialog = lazyPart(() => import('./signed-out-dialog.tsx'));

const { away } = shell;
const { view } = frameNotes;
/** A restarting server is back within this time, so nothing is shown. */
const PATIENCE_MS = 8_000;

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

/** Over the page, so that nothing moves: since when the page is outdated, and what to do. */
function AwayNote() {
  const { staleSince, offline, refused } = useLiveness();
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-5 z-30 flex justify-center px-4 max-md:bottom-[84px] md:pl-[236px]"
    >
      {staleSince && <StaleNote since={staleSince} offline={offline} refused={refused} />}
    </div>
  );
}

function StaleNote({ since, offline, refused }: { since: Date; offline: boolean; refused: string | null }) {
  const now = useNow();
  if (!offline && now.getTime() - since.getTime() < PATIENCE_MS) return null;
  const at = minuteOf(since);
  const [said, more] = offline
    ? [away.offline(at), away.offlineText]
    : refused === null
      ? [away.server(at), away.serverText]
      : [away.refused(at), refused];
  return (
    <div className="tone-warn flex max-w-[560px] items-start gap-2.5 rounded-4 border border-tone-line bg-overlay px-4 py-3 text-13 shadow-pop">
      <StatusIcon shape="warning" className="mt-[3px]" />
      <p>
        <b className="font-medium">{said}</b> <span className="text-ink-2">{more}</span>
      </p>
    </div>
  );
}

/** Shown while an administrator views an account as a member: its name, and the way back. */
function ViewBar() {
  const { account } = useMe();
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const end = useMutation(
    trpc.admin.endView.mutationOptions({
      // Everything on screen belonged to the other account, so the page loads again. The stream's end does the
      // same.
      onSuccess: () => window.location.assign(`/admin/accounts/${account.accountId}`),
      onError: failed,
    }),
  );
  return (
    <section
      aria-label={view.label}
      className="tone-warn sticky top-0 z-30 flex h-[var(--bar)] items-center gap-2.5 border-b border-tone-line bg-tone-bg px-4 text-13 text-tone-fg"
    >
      <Eye className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 leading-4 sm:truncate">
        <b className="font-semibold max-sm:block max-sm:truncate">{view.whose(account.name)}</b>{' '}
        <span className="max-sm:block max-sm:truncate max-sm:text-12">{view.means}</span>
        <span className="max-lg:hidden"> {view.logged}</span>
      </p>
      <Button size="small" changes={false} busy={end.isPending || end.isSuccess} onClick={() => end.mutate()}>
        {view.end}
      </Button>
    </section>
  );
}

/** Asks a user with unsaved input to sign in again in another tab. */
function SignedOut() {
  const [open, setOpen] = useState(false);
  useEffect(() => keepInput(setOpen), []);
  return open && <SignedOutDialog />;
}
