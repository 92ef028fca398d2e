import Link from '#app/_components/link.tsx';
import { Problem } from '#app/_components/problem.tsx';
import { PRIMARY_BUTTON } from '#app/_components/ui/button-looks.ts';
import { problems } from '#app/_texts/problems.ts';

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
