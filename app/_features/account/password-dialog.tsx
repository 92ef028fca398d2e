'use client';

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { common } from '#app/_components/ui/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { CodeField, PresentPassword } from './password-fields.tsx';
import { account } from './words.ts';

const texts = account.confirm;

/** Asks for the password; `onClose` gets whether it was confirmed. */
export default function PasswordDialog({ onClose }: { onClose: (typed: boolean) => void }) {
  const trpc = useTRPC();
  const form = useId();
  const confirm = useMutation(trpc.user.confirmPassword.mutationOptions());
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    const code = values.get('code');
    confirm.mutate(
      { password: String(values.get('current')), ...(code === null ? {} : { code: String(code) }) },
      { onSuccess: () => onClose(true) },
    );
  };
  const wantsCode = confirm.error?.data?.appCode === 'second_factor';
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose(false)}
      title={texts.title}
      description={texts.lead}
      footer={
        <>
          <Button onClick={() => onClose(false)}>{common.cancel}</Button>
          <Button variant="primary" type="submit" form={form} busy={confirm.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={send} className="flex flex-col gap-4">
        {confirm.error && (
          <Note tone={wantsCode ? 'wait' : 'fail'} assertive>
            {sentenceOf(confirm.error)}
          </Note>
        )}
        <PresentPassword autoFocus />
        {wantsCode && <CodeField />}
      </form>
    </Dialog>
  );
}
