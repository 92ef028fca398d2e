import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** Shows a one-time link to copy. Only its button closes it. */
export function LinkDialog({
  link,
  title,
  text,
  copy,
  close,
  onClose,
}: {
  link: string;
  title: string;
  text: string;
  copy: string;
  close: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      keepOpen
      title={title}
      text={text}
      footer={
        <Button variant="primary" onClick={onClose}>
          {close}
        </Button>
      }
    >
      <p className="flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-12 break-all">{link}</code>
        <CopyButton text={link} label={copy} />
      </p>
    </Dialog>
  );
}
