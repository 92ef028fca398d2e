import type { ComponentProps } from 'react';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { Note } from './note.tsx';

/** The sentence of a failed request; without an error, nothing. `assertive`: the user's last action failed. */
export function Failure({
  error,
  ...note
}: { error: unknown } & Pick<ComponentProps<typeof Note>, 'assertive' | 'className'>) {
  if (!error) return null;
  return (
    <Note tone="fail" {...note}>
      {sentenceOf(error)}
    </Note>
  );
}
