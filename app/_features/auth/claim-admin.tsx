'use client';

import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { AuthHead } from './auth-form.tsx';
import { auth } from './words.ts';

/** For a signed-in user who opens the one-time setup link. */
export function ClaimAdmin({ token, email }: { token: string; email: string }) {
  const trpc = useTRPC();
  const claim = useMutation(
    trpc.account.claimAdmin.mutationOptions({ onSuccess: () => window.location.assign('/') }),
  );
  const texts = auth.setup;
  return (
    <>
      <AuthHead title={texts.title} lead={texts.lead} />
      <Card className="mt-6 flex flex-col gap-4 p-5">
        <Failure error={claim.error} assertive />
        <p>{texts.signedInAs(email)}</p>
        <Button
          variant="primary"
          size="large"
          busy={claim.isPending || claim.isSuccess}
          onClick={() => claim.mutate({ token })}
        >
          {texts.claim}
        </Button>
      </Card>
    </>
  );
}
