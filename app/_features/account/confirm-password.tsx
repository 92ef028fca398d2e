import { useEffect, useRef, useState } from 'react';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { answerWith } from '#app/_trpc/confirm-link.ts';

const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'));

/** Asks for the password when a request of the page needs it, then repeats the request. */
export function ConfirmPassword() {
  const [open, setOpen] = useState(false);
  const waiting = useRef<(typed: boolean) => void>(null);
  useEffect(
    () =>
      answerWith(() => {
        setOpen(true);
        return new Promise((resolve) => {
          waiting.current?.(false);
          waiting.current = resolve;
        });
      }),
    [],
  );
  const close = (typed: boolean) => {
    setOpen(false);
    waiting.current?.(typed);
    waiting.current = null;
  };
  return open && <PasswordDialog onClose={close} />;
}
