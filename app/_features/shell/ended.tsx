'use client';

import { PRIMARY_BUTTON } from '#app/_components/ui/button-looks.ts';
import { Problem } from '#app/_components/ui/problem.tsx';
import type { StreamEndReason } from '#server/people/stream-end.ts';
import { frameNotes } from './frame-words.ts';

/** Why an account is gone for the person who looks at it, where nothing that they did explains it. */
export type AccountEnd = Extract<StreamEndReason, 'account_deleted' | 'left_account'>;

/** In place of a page whose account is gone. All of the page was the account's, so the way on loads the page again. */
export default function Ended({ why, name }: { why: AccountEnd; name: string }) {
  const texts = frameNotes.ended[why];
  return (
    <Problem
      title={texts.title(name)}
      text={texts.text}
      action={
        <button type="button" className={PRIMARY_BUTTON} onClick={() => window.location.assign('/')}>
          {frameNotes.ended.do}
        </button>
      }
    />
  );
}
