import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { AuthHead } from './auth-form.tsx';
import { auth } from './words.ts';

const texts = auth.checkMail;

/** Says where the confirmation link was mailed; can mail it again, or go back to correct the address. */
export function CheckMail({
  email,
  mailAgain,
  onCorrect,
}: {
  email: string;
  mailAgain: () => Promise<unknown>;
  onCorrect: () => void;
}) {
  const again = useMutation({ mutationFn: mailAgain });
  return (
    <>
      <AuthHead title={texts.title} lead={texts.lead} />
      <Card className="mt-6 flex flex-col gap-4 p-5">
        <Failure error={again.error} assertive />
        {again.isSuccess && <Note tone="ok">{texts.again}</Note>}
        <p className="font-medium wrap-anywhere">{email}</p>
        <p className="text-13 text-ink-2">{texts.what}</p>
        <div className="flex flex-wrap gap-2">
          <Button size="large" busy={again.isPending} onClick={() => again.mutate()}>
            {texts.mailAgain}
          </Button>
          <Button size="large" variant="ghost" onClick={onCorrect}>
            {texts.correct}
          </Button>
        </div>
      </Card>
    </>
  );
}
