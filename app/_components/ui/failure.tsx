import type { ComponentProps } from 'react';
import { isFinal, sentenceOf } from '#app/_trpc/provider.tsx';
import { Button } from './button.tsx';
import { Note } from './note.tsx';
import { common } from './words.ts';

/**
 * The sentence of a failed request; without an error, nothing. `assertive`: the user's last action failed. `retry`: loads
 * again what could not be loaded.
 */
export function Failure({
  error,
  retry,
  ...note
}: { error: unknown; retry?: () => unknown } & Pick<ComponentProps<typeof Note>, 'assertive' | 'className'>) {
  if (!error) return null;
  const again = retry && !isFinal(error) && (
    <Button size="small" onClick={() => void retry()}>
      {common.tryAgain}
    </Button>
  );
  return (
    <Note tone="fail" {...note} action={again}>
      {sentenceOf(error)}
    </Note>
  );
}
