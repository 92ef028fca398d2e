import { sentenceOf } from '#app/_trpc/provider.tsx';
import { Note } from './note.tsx';

/** The sentence of a failed request; without an error, nothing. `assertive`: the user's last action failed. */
export function Failure({ error, assertive = false }: { error: unknown; assertive?: boolean }) {
  if (!error) return null;
  return (
    <Note tone="fail" assertive={assertive}>
      {sentenceOf(error)}
    </Note>
  );
}
