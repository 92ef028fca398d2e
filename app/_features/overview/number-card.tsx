'use client';

import clsx from 'clsx';
import { Key, MessageSquareText, MoreHorizontal, Smartphone } from 'lucide-react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { CardFoot } from '#app/_components/ui/card.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Menu, MenuItem } from '#app/_components/ui/menu.tsx';
import { NUMBER_SIGNS, NumberBadge } from '#app/_components/ui/states.tsx';
import { useNow } from '#app/_components/ui/time.tsx';
import { common } from '#app/_components/ui/words.ts';
import {
  asksToDecide,
  isLinkable,
  type NumberItem,
  unwellFor,
  wordsOf,
} from '#app/_features/numbers/number-sentence.ts';
import { numbers as numberTexts } from '#app/_features/numbers/words.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { needsSomebody } from '#server/core/number-sign.ts';
import { overview } from './words.ts';

const texts = overview.card;

type NumberFigures = Outputs['account']['overview']['numbers'][number];

/** A number at a glance: state, sentence, the last hours, today, and its one action. */
export function NumberCard({ number, figures }: { number: NumberItem; figures: NumberFigures | undefined }) {
  const now = useNow(10_000);
  const since = unwellFor(number, now);
  const words = wordsOf(number, now);
  const warns = words.sign === 'EXCESS' || asksToDecide(number);
  const tone = warns ? 'warn' : needsSomebody(number) && NUMBER_SIGNS[words.sign].tone;
  return (
    <article
      className={clsx(
        'card flex min-w-0 flex-col rounded-4 border bg-raised px-4 pt-3.5 shadow-card',
        tone ? `tone-${tone} border-tone-line` : 'border-line',
      )}
    >
      <div className="flex items-center gap-2">
        <h3 className="min-w-0 truncate text-14">
          <Link href={`/numbers/${number.id}`} className="hover:underline hover:underline-offset-[3px]">
            {number.name}
          </Link>
        </h3>
        {number.network === 'sandbox' && <Tag>{common.sandbox}</Tag>}
        <span className="flex-1" />
        <Menu
          trigger={
            <Button
              variant="ghost"
              size="small"
              icon
              aria-label={texts.actions(number.name)}
              className="-my-1.5 -mr-2"
            >
              <MoreHorizontal />
            </Button>
          }
        >
          <MenuItem asChild>
            <Link href={`/numbers/${number.id}`}>
              <Smartphone />
              {texts.open}
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link href={`/messages?number=${number.id}`}>
              <MessageSquareText />
              {texts.messages}
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link href={`/keys?create=${number.id}`}>
              <Key />
              {texts.key}
            </Link>
          </MenuItem>
        </Menu>
      </div>
      <div className="mt-px min-h-5 text-13 text-ink-3 tabular-nums">{number.phoneText}</div>
      <div className="mt-3.5 mb-1.5 flex flex-wrap items-center gap-x-2">
        <NumberBadge sign={words.sign} />
        {since !== null && (
          <span className="text-12 text-ink-3 tabular-nums">{numberTexts.page.lasted(since)}</span>
        )}
      </div>
      <p className="min-h-10 text-13 text-ink-2 max-md:min-h-0">{words.sentence}</p>
      <Spark hours={figures?.hours} muted={number.network === 'sandbox'} />
      <dl className="my-3.5 grid grid-cols-[1.4fr_1fr_1fr] border-t border-line-soft pt-3">
        <Mini label={texts.sent} count={figures?.sent ?? 0} />
        <Mini label={texts.failed} count={figures?.failed ?? 0} />
        <Mini label={texts.unknown} count={figures?.unknown ?? 0} />
      </dl>
      <CardFoot className="-mx-4 mt-auto min-h-[46px]">
        <span className={clsx('tabular-nums', number.waiting > 0 && 'font-medium text-ink')}>
          {words.waiting}
        </span>
        <CardAction number={number} />
      </CardFoot>
    </article>
  );
}

/** The action that this number needs, if any; without an active plan nothing can be linked. */
function CardAction({ number }: { number: NumberItem }) {
  const button = (href: string, label: string) => (
    <ButtonLink size="small" className="-my-[3px] -mr-1.5" href={href}>
      {label}
    </ButtonLink>
  );
  if (number.status === 'LINKING' || number.status === 'SYNCING')
    return button(`/numbers/${number.id}/link`, numberTexts.page.continueLinking);
  if (isLinkable(number) && number.access === 'ok')
    return button(
      `/numbers/${number.id}/link`,
      number.phoneNumber === null ? numberTexts.page.link : numberTexts.page.linkAgain,
    );
  if (needsSomebody(number) || asksToDecide(number)) return button(`/numbers/${number.id}`, texts.open);
  if (number.network === 'sandbox') return button(`/sandbox/${number.id}`, numberTexts.page.openPhone);
  return null;
}

function Mini({ label, count }: { label: string; count: number }) {
  return (
    <div>
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd
        className={clsx(
          'text-16 tracking-[-0.02em] tabular-nums',
          count === 0 ? 'font-normal text-ink-3' : 'font-semibold',
        )}
      >
        {count.toLocaleString('en')}
      </dd>
    </div>
  );
}

const NO_HOURS = Array<number>(24).fill(0);

/** The last 24 hours as bars; the current hour has the full colour. */
function Spark({ hours = NO_HOURS, muted }: { hours?: number[] | undefined; muted: boolean }) {
  const most = Math.max(1, ...hours);
  return (
    <div className={clsx('mt-3.5', muted ? 'tone-mute' : 'tone-brand')}>
      <div className="mb-1.5 text-11 text-ink-3">{texts.hours}</div>
      <svg viewBox="0 0 240 32" preserveAspectRatio="none" aria-hidden="true" className="block h-7 w-full">
        {hours.map((sent, hour) => {
          const height = sent === 0 ? 1 : Math.max(2, (32 * sent) / most);
          const now = hour === hours.length - 1;
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: an hour's place is what it is
              key={hour}
              x={hour * 10 + 1.5}
              y={32 - height}
              width="7"
              height={height}
              style={{ fill: fillOf(sent, now) }}
            />
          );
        })}
      </svg>
    </div>
  );
}

function fillOf(sent: number, now: boolean): string {
  if (sent === 0) return 'var(--line-strong)';
  return now ? 'var(--so)' : 'color-mix(in oklab, var(--so) 55%, var(--raised))';
}
