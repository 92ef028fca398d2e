import { useEffect, useRef } from 'react';
import { Card, CardFoot, CardHead } from '#app/_components/ui/card.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import Link from '#app/_components/ui/link.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { MESSAGE_NAMES } from '#app/_components/ui/state-words.ts';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useCanSend, WhyNotSending } from '#app/_features/plan/can-send.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { overview } from './words.ts';

const texts = overview.troubles;
/** An empty list would look as if nothing needed attention. */
const loading = (
  <li>
    <SkeletonRows rows={2} />
  </li>
);
const TroubleRows = lazyPart(() => import('./trouble-rows.tsx'), loading);
const UnsentRows = lazyPart(() => import('./unsent-rows.tsx'), loading);

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
  }, [troubles, unsent]);
  const onHandled = () => {
    handled.current = true;
  };
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
              {texts.all(MESSAGE_NAMES[status])}
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
          {unsent.length > 0 && <UnsentRows unsent={unsent} onHandled={onHandled} />}
          {troubles.length > 0 && (
            <TroubleRows troubles={troubles} refused={!canSend} onHandled={onHandled} />
          )}
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
