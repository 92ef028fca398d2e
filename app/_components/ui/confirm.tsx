import * as Radix from 'radix-ui/alert-dialog';
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Consequences } from './consequences.tsx';
import { DIALOG, useFocusBack } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { useReadOnly } from './read-only.ts';
import { useStillWaiting } from './still-waiting.tsx';
import { useToast } from './toast.tsx';

interface Question {
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

/** A button that asks first. */
export function Confirm({
  trigger,
  ...question
}: Question & { trigger: ReactElement<{ disabled?: boolean }> }) {
  const readOnly = useReadOnly();
  const [open, setOpen] = useState(false);
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{readOnly ? cloneElement(trigger, { disabled: true }) : trigger}</Radix.Trigger>
      {open && <Asked {...question} onClose={() => setOpen(false)} />}
    </Radix.Root>
  );
}

/**
 * Asks before an irreversible action and lists what stops, what is cancelled and what stays. Stays open while
 * `onConfirm` runs and shows its rejection.
 */
export function ConfirmDialog(props: Question & { onClose: () => void }) {
  return (
    <Radix.Root open>
      <Asked {...props} />
    </Radix.Root>
  );
}

function Asked({
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
  const leave = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    close();
  };
  return (
    <Radix.Portal>
      <Radix.Overlay className="scrim-in fixed inset-0 z-50 bg-scrim" />
      <Radix.Content className={DIALOG} onEscapeKeyDown={leave} onCloseAutoFocus={focusBack}>
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
          <Radix.Cancel asChild onClick={leave}>
            <Button>{keep}</Button>
          </Radix.Cancel>
          <Button variant="destroy" busy={busy} onClick={confirm}>
            {submit}
          </Button>
        </div>
      </Radix.Content>
    </Radix.Portal>
  );
}
