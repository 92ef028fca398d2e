import { type ReactNode, useEffect, useState } from 'react';
import { Note } from './note.tsx';

/** A server that has not answered after this long may not answer at all. */
const SLOW_MS = 8_000;

const texts = {
  title: 'No response from the server yet',
  text: 'You can close this. What you asked for may still be done, so check the page before you try again.',
};

/**
 * Closes a dialog, but not while its form is being sent: it would look cancelled, and an answer that is shown only once
 * would be lost. If the server is slow, `note` says so, and the dialog can be closed.
 */
export function useStillWaiting(busy: boolean, onClose: () => void): { close: () => void; note: ReactNode } {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return {
    close: () => {
      if (!busy || slow) onClose();
    },
    note: slow && (
      <Note tone="wait" title={texts.title} assertive>
        {texts.text}
      </Note>
    ),
  };
}
