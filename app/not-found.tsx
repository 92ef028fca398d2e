import { PRIMARY_BUTTON } from '#app/_components/ui/button-looks.ts';
import Link from '#app/_components/ui/link.tsx';
import { Problem } from '#app/_components/ui/problem.tsx';
import { problems } from '#app/_components/ui/problem-words.ts';

export default function NotFound() {
  const texts = problems.missing;
  return (
    <Problem
      title={texts.title}
      text={texts.text}
      action={
        <Link href="/" className={PRIMARY_BUTTON}>
          {texts.do}
        </Link>
      }
    />
  );
}
