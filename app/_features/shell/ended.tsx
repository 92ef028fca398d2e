import { Button } from '#app/_components/ui/button.tsx';
import { Problem } from '#app/_components/ui/problem.tsx';
import type { StreamEndReason } from '#server/people/stream-end.ts';
import { frameNotes } from './words.ts';

/** Why the viewer lost the account, when their own action does not explain it. */
export type AccountEnd = Extract<StreamEndReason, 'account_deleted' | 'left_account'>;

/**
 * Replaces a page whose account is gone. Continuing loads the page again, because all of it belonged to the
 * account.
 */
export function Ended({ why, name }: { why: AccountEnd; name: string }) {
  const texts = frameNotes.ended[why];
  return (
    <Problem
      title={texts.title(name)}
      text={texts.text}
      action={
        <Button variant="primary" onClick={() => window.location.assign('/')}>
          {frameNotes.ended.do}
        </Button>
      }
    />
  );
}
