import type { ReactNode } from 'react';
import { Note } from '#app/_components/ui/note.tsx';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { QuietStatus } from './is-quiet.ts';

type Status = Exclude<MessageStatus, QuietStatus>;

const TITLES: Record<Status, string> = {
  failed: 'Definitely not sent',
  unknown: 'Not confirmed. It may have arrived',
  expired: 'Not sent: its deadline passed',
  cancelled: 'Not sent: cancelled before its turn',
};

/** Why a message was not sent, or may not have been. */
export default function MessageVerdict({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <Note tone={MESSAGE_SIGNS[status].tone} title={TITLES[status]} className="mt-2.5">
      {children}
    </Note>
  );
}
