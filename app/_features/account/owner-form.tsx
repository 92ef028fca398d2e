import type { ReactNode } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Form } from '#app/_components/ui/form.tsx';
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
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex max-w-[460px] flex-col gap-4">
      {children}
      {owner ? (
        <Button type="submit" busy={busy} className="self-start">
          {submit}
        </Button>
      ) : (
        <p className="text-12 text-ink-3">{account.settings.ownerOnly}</p>
      )}
    </Form>
  );
}
