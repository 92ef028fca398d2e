import { useEffect, useState } from 'react';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { keepInput } from '#app/_trpc/sign-in-again.ts';

const SignedOutDialog = lazyPart(() => import('./signed-out-dialog.tsx'));

/** Asks a user with unsaved input to sign in again in another tab. */
export function SignedOut() {
  const [open, setOpen] = useState(false);
  useEffect(() => keepInput(setOpen), []);
  return open && <SignedOutDialog />;
}
