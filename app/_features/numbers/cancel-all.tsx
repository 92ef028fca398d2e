import { Button } from '#app/_components/ui/button.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { cancelAll as texts } from './cancel-all-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { useCancelWaiting } from './use-number.ts';

/** Cancels all waiting messages of a number. Loads when some wait. */
export default function CancelAll({ number }: { number: NumberItem }) {
  const { done } = useFeedback();
  const cancel = useCancelWaiting(false);
  return (
    <Confirm
      trigger={<Button size="small">{texts.submit}</Button>}
      {...texts.dialog(number)}
      submit={texts.submit}
      onConfirm={async () => {
        const { cancelled } = await cancel.mutateAsync({ numberId: number.id });
        done(texts.done(cancelled));
      }}
    />
  );
}
