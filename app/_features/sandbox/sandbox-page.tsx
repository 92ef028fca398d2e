'use client';

import { Code2, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { NumberBadge } from '#app/_components/ui/states.tsx';
import { MissingNumber } from '#app/_features/numbers/missing-number.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useNumber } from '#app/_features/numbers/use-number.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { signOf } from '#server/core/number-sign.ts';
import { Behaviour } from './behaviour.tsx';
import { ChatsCard } from './chats-card.tsx';
import { Connection } from './connection.tsx';
import { Device } from './device.tsx';
import { Underneath } from './underneath.tsx';
import { usePhone, usePhoneActions } from './use-phone.ts';
import { sandbox as texts } from './words.ts';

/** The virtual phone of a sandbox number. */
export function SandboxPage({ numberId }: { numberId: string }) {
  const number = useNumber(numberId);
  if (number?.network !== 'sandbox') return <MissingNumber />;
  return (
    <Page width="wide" crumbs={[{ label: texts.title, href: '/sandbox' }, { label: number.name }]}>
      <SandboxView number={number} />
    </Page>
  );
}

function SandboxView({ number }: { number: NumberItem }) {
  const { data: phone, error, refetch } = usePhone(number.id);
  const [chosen, choose] = useState<string | null>();
  // Until the user selects one, the phone shows the chat with the latest activity.
  const latest = phone?.chats.find(({ messages }) => messages.length > 0)?.id ?? null;
  const chatId = chosen === undefined ? latest : chosen;
  return (
    <>
      <PageHead
        title={texts.title}
        badge={<NumberBadge sign={signOf(number)} />}
        lead={texts.lead}
        actions={<Actions number={number} hasChats={(phone?.chats.length ?? 0) > 0} />}
      />
      {!phone && <Failure error={error} retry={refetch} />}
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[280px_minmax(360px,1fr)_316px] md:max-xl:grid-cols-[minmax(0,1fr)_400px]">
        <div className="flex min-w-0 flex-col gap-4 max-md:order-2">
          <Connection number={number} phone={phone} />
          <Behaviour number={number} phone={phone} />
          <ChatsCard phone={phone} chatId={chatId} onChoose={choose} />
        </div>
        <div className="stage grid min-w-0 grid-cols-1 content-start items-start justify-items-center px-3 py-7 max-md:order-1 max-md:border-0! max-md:bg-none! max-md:p-0! md:max-xl:col-start-2 md:max-xl:row-span-2 md:max-xl:row-start-1">
          {phone || error ? (
            <Device number={number} phone={phone} chatId={chatId} onChoose={choose} />
          ) : (
            <Skeleton className="h-[780px] w-[372px] max-w-full rounded-[52px]!" />
          )}
        </div>
        <Underneath number={number} />
      </div>
    </>
  );
}

function Actions({ number, hasChats }: { number: NumberItem; hasChats: boolean }) {
  const router = useRouter();
  const { done } = useFeedback();
  const { drive } = usePhoneActions();
  const phones = useNumbers().filter(({ network }) => network === 'sandbox');
  return (
    <>
      {phones.length > 1 && (
        <div className="w-44">
          <Select
            value={number.id}
            onChange={(id) => router.push(`/sandbox/${id}`)}
            aria-label={texts.choose}
            options={phones.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      <Button
        disabled={!hasChats}
        busy={drive.isPending}
        onClick={() =>
          drive.mutate(
            { numberId: number.id, phoneAction: 'clearInbox' },
            { onSuccess: () => done(texts.clearDone) },
          )
        }
      >
        <Trash2 />
        {texts.clear}
      </Button>
      <ButtonLink variant="primary" href="/keys">
        <Code2 />
        {texts.code}
      </ButtonLink>
    </>
  );
}
