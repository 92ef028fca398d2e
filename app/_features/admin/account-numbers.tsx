import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { NumberBadge } from '#app/_components/ui/states.tsx';
import { common } from '#app/_components/ui/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { signOf } from '#server/core/number-sign.ts';
import { intervalText } from '#server/core/pacing/interval.ts';
import type { AdminAccount } from './admin-account.ts';
import { admin } from './words.ts';

const texts = admin.numbers;
type AccountNumber = AdminAccount['numbers'][number];

/** The account's numbers with their states; each can be suspended separately. */
export function AccountNumbers({ account: { accountId, numbers } }: { account: AdminAccount }) {
  return (
    <Section title={texts.title}>
      <Card>
        {numbers.length === 0 && <p className="px-4 py-3.5 text-13 text-ink-2">{texts.none}</p>}
        <ul aria-label={texts.title}>
          {numbers.map((number) => (
            <li
              key={number.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line-soft px-4 py-3 text-13 [&+&]:border-t"
            >
              <div className="min-w-0 flex-1 basis-[200px]">
                <span className="flex items-center gap-2">
                  <b className="truncate font-medium">{number.name}</b>
                  {number.network === 'sandbox' && <Tag>{common.sandbox}</Tag>}
                </span>
                <span className="block truncate text-12 text-ink-3 tabular-nums">{factsOf(number)}</span>
              </div>
              <NumberBadge sign={signOf(number)} />
              <RowAction accountId={accountId} number={number} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}

function factsOf(number: AccountNumber): string {
  const facts = [number.phoneText ?? texts.neverLinked, texts.interval(intervalText(number))];
  if (number.waiting > 0) facts.push(texts.waiting(number.waiting));
  if (number.status === 'SUSPENDED' && number.statusReason) facts.push(`“${number.statusReason}”`);
  return facts.join(' · ');
}

function RowAction({ accountId, number }: { accountId: string; number: AccountNumber }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const reason = useRef<HTMLInputElement>(null);
  const onSettled = () => refresh();
  const suspend = useMutation(trpc.admin.suspendNumber.mutationOptions({ onSettled }));
  const resume = useMutation(
    trpc.admin.resumeNumber.mutationOptions({
      onSettled,
      onSuccess: () => done(texts.resumed(number.name)),
      onError: failed,
    }),
  );
  const ref = { accountId, numberId: number.id };
  if (number.status === 'SUSPENDED')
    return (
      <Button
        aria-label={texts.resumeLabel(number.name)}
        busy={resume.isPending}
        onClick={() => resume.mutate(ref)}
      >
        {texts.resume}
      </Button>
    );
  return (
    <Confirm
      trigger={<Button aria-label={texts.suspendLabel(number.name)}>{texts.suspend}</Button>}
      {...texts.dialog(number.name)}
      onConfirm={() => suspend.mutateAsync({ ...ref, reason: reason.current?.value ?? '' })}
    >
      <p>{texts.dialogText}</p>
      <div className="mt-3">
        <InputField
          label={texts.reason}
          help={texts.reasonHelp}
          ref={reason}
          maxLength={200}
          autoComplete="off"
        />
      </div>
    </Confirm>
  );
}
