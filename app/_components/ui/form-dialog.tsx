import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import type { DialogContent } from './dialog.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { Form } from './form.tsx';
import { useStillWaiting } from './still-waiting.tsx';
import { common } from './words.ts';

/** A dialog with one form, which can be cancelled or sent once at a time. */
export function FormDialog({
  onClose,
  submit,
  leave = common.cancel,
  busy,
  error,
  onSubmit,
  children,
  ...content
}: Omit<DialogContent, 'footer'> & {
  onClose: () => void;
  submit: string;
  /** The button that closes the dialog and changes nothing. */
  leave?: string;
  busy: boolean;
  /** The error of the last submission, unless a field shows it. */
  error?: unknown;
  onSubmit: (values: FormData) => void;
  children: ReactNode;
}) {
  const form = useId();
  const { close, note } = useStillWaiting(busy, onClose);
  return (
    <Dialog
      {...content}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{leave}</Button>
          <Button type="submit" form={form} variant="primary" busy={busy}>
            {submit}
          </Button>
        </>
      }
    >
      <Form id={form} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 [--cut:var(--overlay)]">
        <Failure error={error} assertive />
        {note}
        {children}
      </Form>
    </Dialog>
  );
}
