import { Hash, QrCode } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Segments } from '#app/_components/ui/choice.tsx';
import { QrImage } from '#app/_components/ui/qr-image.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { countdown, duration, useNow } from '#app/_components/ui/time.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useNumberActions } from '#app/_features/numbers/use-number.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import type { Linking, Way } from './linking.ts';
import { PairingPanel } from './pairing-panel.tsx';
import { linking as texts } from './words.ts';

const WAYS = (
  [
    ['qr', QrCode],
    ['code', Hash],
  ] as const
).map(([value, Icon]) => ({
  value,
  label: (
    <>
      <Icon />
      {texts.by[value]}
    </>
  ),
}));

export function WayChoice({ way, onWay }: { way: Way; onWay: (way: Way) => void }) {
  return <Segments label={texts.by.label} value={way} onChange={onWay} options={WAYS} />;
}

/** The code, with the time that it has left. */
export function CodeCard({
  number,
  linking,
  way,
  onWay,
}: {
  number: NumberItem;
  linking: Linking;
  way: Way;
  onWay: (way: Way) => void;
}) {
  const now = useNow(500);
  const { viewing } = useMe();
  const left = linking.linkUntil ? new Date(linking.linkUntil).getTime() - now.getTime() : 0;
  return (
    <Card className="flex flex-col items-center gap-1 px-4 pt-4 pb-5">
      <WayChoice way={way} onWay={onWay} />
      {viewing ? (
        <p className="my-auto max-w-[34ch] py-10 text-center text-13 text-ink-2">{texts.notForViewers}</p>
      ) : way === 'qr' ? (
        <QrPanel number={number} linking={linking} now={now} />
      ) : (
        <PairingPanel number={number} linking={linking} />
      )}
      <p className="max-w-[34ch] text-center text-13 text-ink-3">
        {way === 'qr' && linking.qr && `${texts.changes} `}
        {left > 0 && <span className="tabular-nums">{texts.stopsIn(countdown(left))}</span>}
      </p>
    </Card>
  );
}

function QrPanel({ number, linking, now }: { number: NumberItem; linking: Linking; now: Date }) {
  const { qr, qrExpiresAt } = linking;
  const share = useShareLeft(qrExpiresAt, now);
  const { openLinking } = useNumberActions();
  if (!qr && linking.pairingCode) {
    return (
      <div className="my-8 flex flex-col items-center gap-3">
        <p className="max-w-[34ch] text-center text-13 text-ink-2">{texts.pairing.instead}</p>
        <Button busy={openLinking.isPending} onClick={() => openLinking.mutate({ numberId: number.id })}>
          {texts.start.submit}
        </Button>
      </div>
    );
  }
  if (!qr || !qrExpiresAt) {
    return (
      <div role="status" className="flex flex-col items-center">
        <div className="my-[18px] mb-3 grid size-[264px] place-items-center rounded-[22px] border-4 border-mute-bg">
          <Skeleton className="size-[232px] rounded-4!" />
        </div>
        <p className="font-medium">{texts.preparing}</p>
        <p className="text-center text-13 text-ink-3">{texts.preparingHelp}</p>
      </div>
    );
  }
  const left = new Date(qrExpiresAt).getTime() - now.getTime();
  return (
    <>
      <div className="relative mt-[18px] mb-3 size-[264px]">
        <svg viewBox="0 0 264 264" aria-hidden="true" className="absolute inset-0">
          <rect
            x="2"
            y="2"
            width="260"
            height="260"
            rx="22"
            fill="none"
            stroke="var(--mute-bg)"
            strokeWidth="4"
          />
          <path
            d="M132 2H240a22 22 0 0 1 22 22V240a22 22 0 0 1-22 22H24a22 22 0 0 1-22-22V24A22 22 0 0 1 24 2z"
            fill="none"
            stroke="var(--brand-solid)"
            strokeWidth="4"
            strokeLinecap="round"
            pathLength="100"
            strokeDasharray={`${share * 100} 100`}
            className="ring-path"
          />
        </svg>
        <div className="absolute inset-2.5 grid place-items-center rounded-5 bg-white">
          <QrImage qr={qr} label={texts.qrLabel(number.name)} className="size-[236px]" />
        </div>
      </div>
      <p role="timer" className="font-medium tabular-nums">
        {texts.newCodeIn(duration(left))}
      </p>
    </>
  );
}

/** The remaining share of a code's time, 0 to 1; the whole is the time left when the code was first seen. */
function useShareLeft(expiresAt: string | null, now: Date): number {
  const seen = useRef<{ expiresAt: string; wholeMs: number } | null>(null);
  if (!expiresAt) return 0;
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (seen.current?.expiresAt !== expiresAt) seen.current = { expiresAt, wholeMs: Math.max(1, left) };
  return Math.min(1, Math.max(0, left / seen.current.wholeMs));
}
