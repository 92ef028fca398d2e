import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Problem } from '#app/_components/ui/problem.tsx';
import { problems } from '#app/_components/ui/problem-words.ts';

export default function NotFound() {
  const texts = problems.missing;
  return (
    <Problem
      title={texts.title}
      text={texts.text}
      action={
        <ButtonLink href="/" variant="primary">
          {texts.do}
        </ButtonLink>
      }
    />
  );
}
