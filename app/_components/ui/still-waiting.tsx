import { type ReactNode, useEffect, useState } from 'react';
import { Note } from './note.tsx';

/** A server that has not answered after this long may not answer at all. */
const SLOW_MS = 8_000;

const texts = {
  title: 'No response from the server yet',
  text: 'You can close this. What you asked for may still be done, so check the page before you try again.',
};

let asking = false;

/** `asked`: a request now waits for the user's password, and not for the server. */
export function useAsking(asked: boolean): void {
  useEffect(() => {
    asking = asked;
    return () => {
      asking = false;
    };
  }, [asked]);
}

/**
 * Closes a dialog, but not while its form is being sent: it would look cancelled, and an answer that is shown only once
 * would be lost. If the server is slow, `note` says so, and the dialog can be closed.
 */
export function useStillWaiting(busy: boolean, onClose: () => void): { close: () => void; note: ReactNode } {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => (asking ? wait() : setSlow(true)), SLOW_MS);
    };
    wait();
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
