import { Note } from '#app/_components/ui/note.tsx';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { UNSENT_TEXTS, type UnsentStatus } from './unsent-texts.ts';

const TITLES: Record<UnsentStatus, string> = {
  failed: 'Definitely not sent',
  unknown: 'Not confirmed. It may have arrived',
  expired: 'Not sent: its deadline passed',
  cancelled: 'Not sent: cancelled before its turn',
};

/** Why a message was not sent, or may not have been. */
export default function MessageVerdict({ status, error }: { status: UnsentStatus; error: string | null }) {
  return (
    <Note tone={MESSAGE_SIGNS[status].tone} title={TITLES[status]} className="mt-2.5">
      {error ?? UNSENT_TEXTS[status]}
    </Note>
  );
}
