'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { FormEvent } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { common } from '#app/_components/ui/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { numberDialogs } from './dialog-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { useKeysOf } from './use-number.ts';

const texts = numberDialogs.replace;

/** Asks for the phone that replaces the linked one, and explains the effect. */
export function ReplaceDialog({
  number,
  open,
  onOpenChange,
}: {
  number: NumberItem;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { keys = [] } = useKeysOf(number.id);
  const replace = useMutation(
    trpc.numbers.replacePhone.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.numbers.pathFilter());
        onOpenChange(false);
        router.push(`/numbers/${number.id}/link`);
      },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const phone = String(new FormData(event.currentTarget).get('phone') ?? '').trim();
    replace.mutate({ numberId: number.id, phone });
  };
  const does: { ends: boolean; text: string }[] = [
    { ends: true, text: texts.unlinks(number.phoneText ?? '') },
    { ends: true, text: numberDialogs.unlink.cancels(number.waiting) },
    { ends: true, text: texts.pause(keys.length) },
    { ends: false, text: texts.stays },
  ];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={texts.title(number.name)}
      description={texts.text}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{common.cancel}</Button>
          <Button type="submit" form="replace" variant="primary" busy={replace.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id="replace" onSubmit={submit} className="flex flex-col gap-4 [--cut:var(--overlay)]">
        <Field
          label={texts.phone}
          help={texts.phoneHelp}
          error={replace.error ? sentenceOf(replace.error) : undefined}
        >
          {(tie) => (
            <Input
              {...tie}
              name="phone"
              inputMode="numeric"
              autoComplete="off"
              placeholder="4915228817386"
              required
            />
          )}
        </Field>
        <ul className="grid gap-2 text-13">
          {does.map(({ ends, text }) => (
            <li key={text} className="flex gap-[9px]">
              <StatusIcon
                {...(ends ? { shape: 'slash', tone: 'mute' } : { shape: 'done', tone: 'ok' })}
                className="mt-[3px]"
              />
              <span>{text}</span>
            </li>
          ))}
        </ul>
        <p className="text-12 text-ink-3">{texts.password}</p>
      </form>
    </Dialog>
  );
}
