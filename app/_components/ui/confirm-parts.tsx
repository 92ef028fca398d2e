import * as Radix from 'radix-ui/alert-dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Consequences } from './consequences.tsx';
import { DIALOG, useFocusBack } from './dialog-parts.tsx';
import { Failure } from './failure.tsx';
import { useStillWaiting } from './still-waiting.tsx';
import { useToast } from './toast.tsx';

export interface Question {
  title: ReactNode;
  text?: ReactNode;
  /** Instead of `text`. */
  children?: ReactNode;
  /** What stops or is lost. */
  ends: readonly ReactNode[];
  stays: readonly ReactNode[];
  /** The button that changes nothing. */
  keep: string;
  submit: string;
  onConfirm: () => Promise<unknown>;
  /** A toast after `onConfirm`. */
  done?: string;
}

export default function OpenConfirm({
  onClose,
  title,
  text,
  children = text,
  ends,
  stays,
  keep,
  submit,
  onConfirm,
  done,
}: Question & { onClose: () => void }) {
  const focusBack = useFocusBack();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const { close, note } = useStillWaiting(busy, onClose);
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      if (done) toast({ tone: 'ok', title: done });
      onClose();
    } catch (failure) {
      setBusy(false);
      setError(failure);
    }
  };
  return (
    <Radix.Root open onOpenChange={(open) => open || close()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim-in fixed inset-0 z-50 bg-scrim" />
        <Radix.Content className={DIALOG} onCloseAutoFocus={focusBack}>
          <div className="overflow-y-auto px-5 pt-5 pb-[18px] [--cut:var(--overlay)]">
            <Radix.Title className="text-16 tracking-[-0.015em]">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="mt-1.5 text-ink-2">{children}</div>
            </Radix.Description>
            <Consequences ends={ends} stays={stays} className="mt-3.5" />
            <Failure error={error} assertive className="mt-4" />
            {note && <div className="mt-4">{note}</div>}
          </div>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft px-5 py-3">
            <Radix.Cancel asChild>
              <Button>{keep}</Button>
            </Radix.Cancel>
            <Button variant="destroy" busy={busy} onClick={confirm}>
              {submit}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
