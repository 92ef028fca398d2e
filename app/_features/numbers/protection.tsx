import { useMutation } from '@tanstack/react-query';
import { Card } from '#app/_components/ui/card.tsx';
import { Switch } from '#app/_components/ui/switch.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

const texts = numbers.protection;

/** The switch that limits new people. */
export function ProtectionCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { failed, refresh } = useFeedback();
  const protect = useMutation(
    trpc.numbers.setProtection.mutationOptions({
      onSuccess: () => refresh(trpc.numbers.pathFilter()),
      onError: failed,
    }),
  );
  const on = protect.isPending ? protect.variables.on : number.protected;
  return (
    <Card className="flex items-start justify-between gap-4 p-4 text-13">
      <div className="min-w-0">
        <h3>{texts.protect}</h3>
        <p className="mt-1 text-ink-2">{on ? texts.on : texts.off}</p>
      </div>
      <Switch
        label={texts.protect}
        checked={on}
        disabled={protect.isPending}
        onChange={(wanted) => protect.mutate({ numberId: number.id, on: wanted })}
      />
    </Card>
  );
}
