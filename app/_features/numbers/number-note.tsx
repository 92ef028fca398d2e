import type { ReactNode } from 'react';
import { Note } from '#app/_components/ui/note.tsx';
import type { Tone } from '#app/_components/ui/status-icon.tsx';

/** A notice about a number, with what to do. */
export function NumberNote({
  tone,
  title,
  action,
  children,
}: {
  tone: Tone;
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Note tone={tone} title={title}>
      <div className="mt-0.5 max-w-[76ch]">{children}</div>
      {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
    </Note>
  );
}
