import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import Link from '#app/_components/ui/link.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { tryIt as texts } from './words.ts';

type GivenAnswer = Outputs['messages']['tryIt'];

/** The HTTP status, and how long it took. */
export function AnswerStatus({ answer, tookMs }: { answer: GivenAnswer; tookMs: number }) {
  const good = answer.status < 300;
  return (
    <span className="flex items-center gap-2 text-13 font-medium text-ink tabular-nums">
      <StatusIcon {...(good ? { shape: 'done', tone: 'ok' } : { shape: 'cross', tone: 'fail' })} />
      {answer.status}
      <span className="font-normal text-ink-3">{texts.after(`${(tookMs / 1000).toFixed(1)} s`)}</span>
    </span>
  );
}

/** The answer as a program gets it: status, important headers, and the body. */
export function Answer({
  answer,
  tookMs,
  number,
}: {
  answer: GivenAnswer | undefined;
  tookMs: number;
  number: NumberItem;
}) {
  if (!answer) return <Card className="px-4 py-3.5 text-13 text-ink-2">{texts.noAnswer}</Card>;
  return (
    <Card className="overflow-hidden">
      <div className="px-4 pt-3">
        <AnswerStatus answer={answer} tookMs={tookMs} />
      </div>
      <dl className="px-4 pt-2 font-mono text-12">
        {Object.entries(answer.headers).map(([name, value]) => (
          <div key={name} className="flex gap-2">
            <dt className="shrink-0 text-ink-3">{name}:</dt>
            <dd className="min-w-0 break-all">{value}</dd>
          </div>
        ))}
      </dl>
      <Code text={JSON.stringify(JSON.parse(answer.body), null, 2)} />
      {answer.messageId && (
        <CardFoot>
          <Link
            href={`/messages/${answer.messageId}`}
            className="text-12 font-medium text-brand-fg hover:underline"
          >
            {texts.open}
          </Link>
          {number.network === 'sandbox' && (
            <Link
              href={`/sandbox/${number.id}`}
              className="text-12 font-medium text-brand-fg hover:underline"
            >
              {texts.phone}
            </Link>
          )}
        </CardFoot>
      )}
    </Card>
  );
}
