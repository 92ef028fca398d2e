import { PRIMARY_BUTTON } from './button-looks.ts';
import { Problem } from './problem.tsx';
import { problems } from './problem-words.ts';

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
        <button type="button" className={PRIMARY_BUTTON} onClick={reset}>
          {texts.do}
        </button>
      }
    />
  );
}
