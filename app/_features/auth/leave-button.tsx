'use client';

import { Button } from '#app/_components/ui/button.tsx';
import { shell } from '#app/_features/shell/words.ts';
import { leave } from './leave.ts';

export function LeaveButton() {
  return (
    <Button size="large" className="mt-5 self-start" onClick={() => void leave()}>
      {shell.signOut}
    </Button>
  );
}
