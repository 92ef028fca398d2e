import { type ReactNode, useState } from 'react';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import type { EarlierMessage } from './send-again-dialog.tsx';

const SendAgainDialog = lazyPart(() => import('./send-again-dialog.tsx'));

/** The question whether a message is sent again. It loads when `show` is called; `dialog` belongs on the page. */
export function useSendAgain(
  message: EarlierMessage,
  onSent: (messageId: string) => void,
): { open: boolean; show: () => void; dialog: ReactNode } {
  const [open, setOpen] = useState(false);
  return {
    open,
    show: () => setOpen(true),
    dialog: open && <SendAgainDialog message={message} onClose={() => setOpen(false)} onSent={onSent} />,
  };
}
