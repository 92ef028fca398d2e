'use client';

import type { FormEvent, ReactNode } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { account } from './words.ts';

/** A form about the account. Only an owner can submit it; other members see a note that says so. */
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
