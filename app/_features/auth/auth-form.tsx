'use client';

import type { ReactNode } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import Link from '#app/_components/ui/link.tsx';
import { useInBrowser } from '#app/_components/ui/use-in-browser.ts';

/** A short form with one action: title, error, fields. */
export function AuthForm({
  title,
  lead,
  error,
  notice,
  busy,
  submit,
  onSubmit,
  children,
  foot,
}: {
  title: string;
  lead: ReactNode;
  error?: unknown;
  notice?: ReactNode;
  busy: boolean;
  submit: string;
  onSubmit: (values: FormData) => void;
  children: ReactNode;
  foot?: ReactNode;
}) {
  // Before the page is interactive, the browser would submit the form itself, with the password in the address.
  const awake = useInBrowser();
  return (
    <>
      <AuthHead title={title} lead={lead} />
      <Card className="mt-6 p-5">
        <Form method="post" busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
          {notice}
          <Failure error={error} assertive />
          {children}
          <Button
            type="submit"
            variant="primary"
            size="large"
            busy={busy}
            disabled={!awake}
            className="mt-1 w-full disabled:border-transparent! disabled:bg-brand-solid! disabled:text-on-brand!"
          >
            {submit}
          </Button>
        </Form>
      </Card>
      {foot && <p className="mt-5 text-center text-13 text-ink-2">{foot}</p>}
    </>
  );
}

export function AuthHead({ title, lead }: { title: string; lead: ReactNode }) {
  return (
    <div>
      <h1 className="text-24 tracking-[-0.028em]">{title}</h1>
      <p className="mt-1.5 text-ink-2">{lead}</p>
    </div>
  );
}

/** A one-time link that no longer works. */
export function UsedLink({
  title,
  why,
  toStart,
  href = '/',
}: {
  title: string;
  why: string;
  toStart: string;
  href?: string;
}) {
  return (
    <>
      <AuthHead title={title} lead={why} />
      <p className="mt-5 text-13">
        <Link href={href} className={AUTH_LINK}>
          {toStart}
        </Link>
      </p>
    </>
  );
}

export const AUTH_LINK =
  'font-medium text-brand-fg underline decoration-brand-line underline-offset-[3px] hover:decoration-brand-solid';
