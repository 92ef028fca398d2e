'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { useToast } from '#app/_components/ui/toast.tsx';
import { common } from '#app/_components/ui/words.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { worded } from '#app/_trpc/worded.ts';
import { numberDialogs as texts } from './dialog-words.ts';
import { newNumber } from './new-number-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { ReplaceDialog } from './replace-dialog.tsx';
import { useKeysOf, useNumberActions } from './use-number.ts';

export type NumberAction = 'rename' | 'replace' | 'unlink' | 'remove';

/** The dialogs of a number's menu; each stays mounted for its closing animation. */
export default function NumberDialogs({
  number,
  open,
  onClose,
}: {
  number: NumberItem;
  open: NumberAction | null;
  onClose: () => void;
}) {
  const close = (next: boolean) => !next && onClose();
  return (
    <>
      <RenameDialog number={number} open={open === 'rename'} onOpenChange={close} />
      <ReplaceDialog number={number} open={open === 'replace'} onOpenChange={close} />
      <UnlinkDialog number={number} open={open === 'unlink'} onOpenChange={close} />
      <RemoveDialog number={number} open={open === 'remove'} onOpenChange={close} />
    </>
  );
}

interface Opened {
  number: NumberItem;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function RenameDialog({ number, open, onOpenChange }: Opened) {
  const { setLabel } = useNumberActions();
  const [error, setError] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const label = String(new FormData(event.currentTarget).get('label') ?? '');
    try {
      await setLabel.mutateAsync({ numberId: number.id, label });
      setError(undefined);
      onOpenChange(false);
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={texts.rename.title}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{common.cancel}</Button>
          <Button type="submit" form="rename" variant="primary" busy={setLabel.isPending}>
            {texts.rename.submit}
          </Button>
        </>
      }
    >
      <form id="rename" onSubmit={submit}>
        <Field label={newNumber.label} help={newNumber.labelHelp} error={error}>
          {(tie) => (
            <Input {...tie} name="label" defaultValue={number.label} maxLength={100} autoComplete="off" />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function UnlinkDialog({ number, open, onOpenChange }: Opened) {
  const toast = useToast();
  const { unlink } = useNumberActions();
  const { keys = [] } = useKeysOf(number.id);
  const { unlink: unlinkDialog } = texts;
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={unlinkDialog.title(number.name)}
      consequences={[
        { kind: 'ends', text: unlinkDialog.cancels(number.waiting) },
        ...(keys.length > 0 ? [{ kind: 'ends' as const, text: unlinkDialog.keys(keys.length) }] : []),
        { kind: 'stays', text: unlinkDialog.stays },
      ]}
      keepWord={unlinkDialog.keep}
      doWord={unlinkDialog.submit}
      onConfirm={async () => {
        await worded(unlink.mutateAsync({ numberId: number.id }));
        toast({ tone: 'ok', title: unlinkDialog.done(number.name) });
      }}
    >
      {unlinkDialog.text(number.phoneText)}
    </Confirm>
  );
}

function RemoveDialog({ number, open, onOpenChange }: Opened) {
  const toast = useToast();
  const router = useRouter();
  const { remove } = useNumberActions();
  const { keys = [] } = useKeysOf(number.id);
  const { remove: removeDialog } = texts;
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={removeDialog.title(number.name)}
      consequences={[
        { kind: 'ends', text: removeDialog.unlinks },
        { kind: 'ends', text: removeDialog.cancels(number.waiting) },
        ...(keys.length > 0 ? [{ kind: 'ends' as const, text: removeDialog.keys(keys.length) }] : []),
        { kind: 'stays', text: removeDialog.place },
        { kind: 'stays', text: removeDialog.stays },
      ]}
      keepWord={removeDialog.keep}
      doWord={removeDialog.submit}
      onConfirm={async () => {
        router.prefetch('/numbers');
        await worded(remove.mutateAsync({ numberId: number.id }));
        toast({ tone: 'ok', title: removeDialog.done(number.name) });
        router.push('/numbers');
      }}
    >
      {removeDialog.text}
    </Confirm>
  );
}
