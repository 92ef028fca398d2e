import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useNumberActions } from '#app/_features/numbers/use-number.ts';
import { WayChoice } from './code-card.tsx';
import type { Way } from './linking.ts';
import { PairingPanel } from './pairing-panel.tsx';
import type { Risk } from './risk-note.tsx';
import { linking } from './words.ts';

const texts = linking.start;

/** Shown before the code: what happens next. */
export function StartCard({
  number,
  risk,
  way,
  onWay,
}: {
  number: NumberItem;
  risk: Risk;
  way: Way;
  onWay: (way: Way) => void;
}) {
  const { openLinking } = useNumberActions();
  return (
    <Card className="flex flex-col gap-4 p-4">
      <div>
        <h2>{texts.title}</h2>
        <p className="mt-1 text-13 text-ink-2">{texts.text}</p>
      </div>
      <Failure error={openLinking.error} assertive />
      <div className="self-center">
        <WayChoice way={way} onWay={onWay} />
      </div>
      {way === 'qr' ? (
        <Button
          variant="primary"
          size="large"
          disabled={!risk.may}
          busy={openLinking.isPending}
          onClick={() => void risk.accept().then(() => openLinking.mutate({ numberId: number.id }))}
        >
          {texts.submit}
        </Button>
      ) : (
        risk.may && (
          <div className="-my-[18px]">
            <PairingPanel number={number} linking={undefined} before={risk.accept} />
          </div>
        )
      )}
      {!risk.may && risk.asks && <p className="text-center text-13 text-ink-2">{texts.tickFirst}</p>}
    </Card>
  );
}
