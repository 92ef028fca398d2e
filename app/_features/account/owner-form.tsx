'use client';

import type { FormEvent, ReactNode } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { account } from './words.ts';

/** A form about the account: only an owner can send it, and everybody else reads that. */
export function OwnerForm({
  owner,
  busy,
  submit,
  onSubmit,
  children,
}: {
  owner: boolean;
  busy: boolean;
  submit: string;
  onSubmit: (values: FormData) => void;
  children: ReactNode;
}) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form onSubmit={send} className="flex max-w-[460px] flex-col gap-4">
      {children}
      {owner ? (
        <Button type="submit" busy={busy} className="self-start">
          {submit}
        </Button>
      ) : (
        <p className="text-12 text-ink-3">{account.settings.ownerOnly}</p>
      )}
    </form>
  );
}
