'use client';

import { Button } from '#app/_components/ui/button.tsx';
import { Problem } from '#app/_components/ui/problem.tsx';
import { problems } from '#app/_components/ui/problem-words.ts';

/** The error of a failed render. `digest` names the entry in the server's log. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  const texts = problems.failed;
  return (
    <Problem
      title={texts.title}
      text={texts.text}
      {...(error.digest ? { code: texts.code(error.digest) } : {})}
      action={
        <Button variant="primary" onClick={reset}>
          {texts.do}
        </Button>
      }
    />
  );
}
