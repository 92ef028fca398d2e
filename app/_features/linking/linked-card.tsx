import { Key, Send } from 'lucide-react';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { useNow } from '#app/_components/ui/time.tsx';
import { asksToDecide, type NumberItem, wordsOf } from '#app/_features/numbers/number-sentence.ts';
import { useKeysOf } from '#app/_features/numbers/use-number.ts';
import { linking } from './words.ts';

/** The end of linking, and the next step. */
export function LinkedCard({ number }: { number: NumberItem }) {
  const texts = linking.linked;
  const now = useNow(10_000);
  const { keys } = useKeysOf(number.id);
  // The buttons of a decision are below this card.
  const next = nextStep({ decides: asksToDecide(number), onTrial: number.onTrial, keys: keys?.length });
  const look = (step: typeof next) => (next === step ? { variant: 'primary' as const } : {});
  return (
    <Card className="flex flex-wrap items-center gap-4 p-5">
      <StatusIcon shape="done" tone="ok" size={32} />
      <div className="min-w-[200px] flex-1" role="status">
        <h2 className="text-16">{texts.title(number.name)}</h2>
        <p className="text-ink-2 tabular-nums">
          {number.phoneText && `${number.phoneText}. `}
          {wordsOf(number, now).sentence}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ButtonLink {...look('number')} href={`/numbers/${number.id}`}>
          {texts.number}
        </ButtonLink>
        {number.onTrial && (
          <ButtonLink {...look('try')} href="/try">
            <Send />
            {texts.test}
          </ButtonLink>
        )}
        {!number.onTrial && keys?.length === 0 && (
          <ButtonLink {...look('key')} href={`/keys?create=${number.id}`}>
            <Key />
            {texts.key}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

export function SyncingCard({ percent }: { percent: number | null }) {
  const texts = linking.syncing;
  return (
    <Card className="tone-wait flex flex-col gap-3 p-5">
      <div className="flex items-center gap-3" role="status">
        <StatusIcon shape="most" size={20} />
        <div>
          <h2>{texts.title}</h2>
          <p className="text-13 text-ink-2">{texts.text}</p>
        </div>
      </div>
      <progress aria-label={texts.title} max={100} value={percent ?? undefined} className="progress" />
    </Card>
  );
}

/** What a member does next with a number that was just linked. */
type NextStep = 'decide' | 'try' | 'key' | 'number';

/** `keys`: how many valid keys it has; undefined while that is unknown. Null until then. */
export function nextStep({
  decides,
  onTrial,
  keys,
}: {
  /** Messages wait for a decision. */
  decides: boolean;
  onTrial: boolean;
  keys: number | undefined;
}): NextStep | null {
  if (decides) return 'decide';
  // Without a plan, only the dashboard sends.
  if (onTrial) return 'try';
  if (keys === undefined) return null;
  return keys === 0 ? 'key' : 'number';
}
