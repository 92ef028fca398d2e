'use client';

import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { NumberBadge } from '#app/_components/ui/states.tsx';
import { useNarrow } from '#app/_components/ui/use-narrow.ts';
import { Decide } from '#app/_features/numbers/decide.tsx';
import { MissingNumber } from '#app/_features/numbers/missing-number.tsx';
import { NumberHistory } from '#app/_features/numbers/number-history.tsx';
import { asksToDecide, type NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useNumber, useNumberActions } from '#app/_features/numbers/use-number.ts';
import { numbers } from '#app/_features/numbers/words.ts';
import { PlanStopped } from '#app/_features/plan/plan-stopped.tsx';
import { linksNow } from '#app/_features/plan/sends-now.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { signOf } from '#server/core/number-sign.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { CodeCard } from './code-card.tsx';
import { LinkedCard, SyncingCard } from './linked-card.tsx';
import type { Linking, Way } from './linking.ts';
import { PhoneCard } from './phone-card.tsx';
import { RiskNote, useRisk } from './risk-note.tsx';
import { StartCard } from './start-card.tsx';
import { Steps } from './steps.tsx';
import { linking as texts } from './words.ts';

const PasskeyCard = lazyPart(() => import('./passkey-card.tsx'), <Skeleton className="h-56 rounded-4!" />);

/** Polled in addition to the stream: an outdated code must not stay on screen. */
const LOOK_MS = 2_000;

const TROUBLES: { title: string; text: string }[] = [
  { title: texts.trouble.expired, text: texts.trouble.expiredText },
  { title: texts.trouble.passkey, text: texts.trouble.passkeyText },
  { title: texts.trouble.other, text: texts.trouble.otherText },
  { title: texts.trouble.blocked, text: texts.trouble.blockedText },
];

/** Links a number's phone and shows each step live. */
export function LinkingPage({ numberId, cancelled }: { numberId: string; cancelled: ReactNode }) {
  const number = useNumber(numberId);
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.numbers.linking.queryOptions({ numberId }, { refetchInterval: LOOK_MS, staleTime: 0, gcTime: 0 }),
  );
  if (!number) return <MissingNumber />;
  return (
    <Page
      crumbs={[
        { label: numbers.title, href: '/numbers' },
        { label: number.name, href: `/numbers/${number.id}` },
        { label: texts.crumb },
      ]}
    >
      <LinkingView number={number} linking={data} cancelled={cancelled} />
    </Page>
  );
}

function LinkingView({
  number,
  linking,
  cancelled,
}: {
  number: NumberItem;
  linking: Linking | undefined;
  cancelled: ReactNode;
}) {
  const { cancelLinking } = useNumberActions();
  const risk = useRisk(number);
  const mayLink = linksNow(usePlan(), number.network);
  // A phone cannot scan its own screen, so a narrow screen starts with the pairing code.
  const [chosen, setWay] = useState<Way>();
  const narrow = useNarrow();
  const way =
    chosen ?? (linking?.pairingCode ? 'code' : narrow && number.network === 'whatsapp' ? 'code' : 'qr');
  const status = linking?.status ?? number.status;
  const again = number.phoneNumber !== null && number.replacementPhone === null;
  const waits = linking?.open === true && status !== 'SYNCING' && status !== 'CONNECTED';
  const unstarted = !waits && status !== 'CONNECTED' && status !== 'SYNCING';
  // A code that is shown already is accepted.
  const needsPlan = linking !== undefined && unstarted && !mayLink;
  // Why the last linking failed, or what the phone needs now; a new linking clears it.
  const asksPasskey = waits && linking?.passkey != null;
  const why = (status === 'LINKING' || unstarted) && !asksPasskey ? linking?.statusReason : null;
  return (
    <>
      <PageHead
        title={texts.title(number.name, again && status !== 'CONNECTED')}
        badge={<NumberBadge sign={signOf({ ...number, status })} percent={linking?.syncPercent ?? null} />}
        lead={leadOf(number, status)}
        actions={
          waits && (
            <Button
              busy={cancelLinking.isPending}
              onClick={() => cancelLinking.mutate({ numberId: number.id })}
            >
              <X />
              {texts.stop}
            </Button>
          )
        }
      />
      <Steps linking={linking} status={status} way={way} />
      {why && (
        <Note tone="warn" assertive>
          {why}
        </Note>
      )}
      {needsPlan && <PlanStopped />}
      {risk.asks && linking && unstarted && mayLink && (
        <RiskNote checked={risk.read} onChange={risk.setRead} />
      )}
      {status === 'CONNECTED' && (
        <>
          <LinkedCard number={number} />
          {asksToDecide(number) && <Decide number={number} lists />}
          {cancelled}
        </>
      )}
      {status === 'SYNCING' && <SyncingCard percent={linking?.syncPercent ?? null} />}
      {linking && asksPasskey && <PasskeyCard number={number} linking={linking} />}
      {status !== 'CONNECTED' && status !== 'SYNCING' && !needsPlan && !asksPasskey && (
        <div className="grid grid-cols-1 gap-4 lg:min-h-[432px] lg:grid-cols-[340px_minmax(0,1fr)]">
          {!linking && <Skeleton className="h-[432px] rounded-4!" />}
          {linking && waits && <CodeCard number={number} linking={linking} way={way} onWay={setWay} />}
          {linking && !waits && <StartCard number={number} risk={risk} way={way} onWay={setWay} />}
          <PhoneCard number={number} way={way} codeReady={linking?.qr != null} />
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-7 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        {status !== 'CONNECTED' && <Troubles />}
        <NumberHistory number={number} limit={6} />
      </div>
    </>
  );
}

/** Which phone to use; nothing once it is linked. */
export function leadOf(
  number: Pick<NumberItem, 'network' | 'phoneText' | 'replacementText'>,
  status: NumberStatus,
): string | null {
  if (status === 'CONNECTED') return null;
  if (number.network === 'sandbox') return texts.leadSandbox;
  if (number.replacementText) return texts.leadReplacing(number.replacementText);
  return number.phoneText ? texts.leadAgain(number.phoneText) : texts.lead;
}

/** Common problems of linking, and their solutions. No icon: none of them has happened. */
function Troubles() {
  return (
    <Section title={texts.trouble.title}>
      <Card>
        <ul className="py-1">
          {TROUBLES.map((trouble) => (
            <li key={trouble.title} className="border-line-soft px-4 py-2.5 text-13 [&+&]:border-t">
              <b className="font-medium">{trouble.title}</b>
              <p className="text-ink-2">{trouble.text}</p>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
