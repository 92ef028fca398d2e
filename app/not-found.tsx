import Link from 'next/link';
import { Problem } from '#app/_components/problem.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { problems } from '#app/_texts/problems.ts';

export default function NotFound() {
  const texts = problems.missing;
  return (
    <Problem
      title={texts.title}
      text={texts.text}
      action={
        <Button variant="primary" asChild>
          <Link href="/">{texts.do}</Link>
        </Button>
      }
    />
  );
}
