'use client';

import clsx from 'clsx';
import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { duration, useNow } from '#app/_components/ui/time.tsx';
import { Tooltip } from '#app/_components/ui/tooltip.tsx';
import { Bell } from '#app/_features/alerts/bell.tsx';
import { useLiveness } from '#app/_trpc/live.tsx';
import { StepsBar } from './steps-bar.tsx';
import { shell } from './words.ts';

export interface Crumb {
  label: ReactNode;
  href?: string;
}

/** A page inside the frame: its place, whether it is live, and its content. */
export function Page({
  crumbs,
  width = 'normal',
  children,
}: {
  crumbs: Crumb[];
  /** `full` leaves the layout to the page. */
  width?: 'normal' | 'wide' | 'full';
  children: ReactNode;
}) {
  return (
    <>
      <header className="sticky top-[var(--bar)] z-10 flex h-12 shrink-0 items-center gap-3 rounded-t-4 border-b border-line-soft bg-surface px-5 max-md:hidden">
        <Crumbs crumbs={crumbs} />
        <span className="flex-1" />
        <LiveSign />
        <Bell />
      </header>
      {width === 'full' ? (
        children
      ) : (
        <main
          id="content"
          className={clsx(
            'mx-auto flex w-full min-w-0 flex-col gap-7 px-8 pt-7 pb-12 max-lg:px-6 max-lg:pt-6 max-md:gap-6 max-sm:px-4 max-sm:pt-5 max-md:pb-8',
            width === 'wide' ? 'max-w-[1280px]' : 'max-w-[1200px]',
          )}
        >
          <StepsBar />
          {children}
        </main>
      )}
    </>
  );
}

function Crumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label={shell.crumbs} className="flex min-w-0 items-center gap-1.5 text-13 text-ink-3">
      {crumbs.map((crumb, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a path does not reorder
        <Fragment key={index}>
          {index > 0 && <ChevronRight className="size-3.5 shrink-0 text-ink-off" />}
          {crumb.href ? (
            <Link href={crumb.href} className="truncate hover:text-ink">
              {crumb.label}
            </Link>
          ) : (
            <span className="truncate font-medium text-ink">{crumb.label}</span>
          )}
        </Fragment>
      ))}
    </nav>
  );
}

/** Whether the page is current, or since when it is not. */
export function LiveSign() {
  const { live, staleSince, offline, refused } = useLiveness();
  return (
    <span role="status" className="flex">
      {live || !staleSince ? (
        <Tooltip text={shell.liveHelp}>
          <span className="inline-flex items-center gap-[7px] whitespace-nowrap text-12 text-ink-3">
            <i className="size-1.5 rounded-full bg-[var(--ok-solid)] shadow-[0_0_0_3px_var(--ok-bg)]" />
            {shell.live}
          </span>
        </Tooltip>
      ) : (
        <Stale since={staleSince} offline={offline} help={refused ?? shell.staleHelp} />
      )}
    </span>
  );
}

function Stale({ since, offline, help }: { since: Date; offline: boolean; help: string }) {
  const now = useNow();
  return (
    <Tooltip text={help}>
      <span className="tone-warn inline-flex items-center gap-[7px] whitespace-nowrap text-12 text-tone-fg tabular-nums">
        <i className="size-1.5 rounded-full bg-tone-solid shadow-[0_0_0_3px_var(--bg)]" />
        {offline ? shell.offline : shell.stale(duration(now.getTime() - since.getTime()))}
      </span>
    </Tooltip>
  );
}

/** A page's title or verdict, a lead, and one or two actions. */
export function PageHead({
  title,
  badge,
  lead,
  actions,
  verdict = false,
}: {
  title: ReactNode;
  badge?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  /** A verdict, in larger type. */
  verdict?: boolean;
}) {
  return (
    // On a phone, an action without a label stays beside the title.
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 max-sm:has-[[data-slim]:only-child]:flex-nowrap max-sm:has-[[data-slim]:only-child]:gap-x-3">
      <div className="min-w-0 flex-1 basis-[280px]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className={verdict ? 'text-24 tracking-[-0.028em]' : ''}>{title}</h1>
          {badge}
        </div>
        {lead && <p className="mt-1 max-w-[68ch] text-ink-2">{lead}</p>}
      </div>
      {actions && (
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:has-[>[data-slim]:only-child]:w-auto max-sm:[&>*]:flex-1">
          {actions}
        </div>
      )}
    </div>
  );
}
