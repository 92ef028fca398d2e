import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** Shows a one-time link to copy. Only its button closes it. */
export function LinkDialog({
  link,
  title,
  lead,
  texts,
  onClose,
}: {
  link: string;
  title: string;
  lead: string;
  texts: { copy: string; close: string };
  onClose: () => void;
}) {
  return (
    <Dialog
      keepOpen
      title={title}
      description={lead}
      footer={
        <Button variant="primary" onClick={onClose}>
          {texts.close}
        </Button>
      }
    >
      <p className="flex items-center gap-2">
        <code className="min-w-0 flex-1 font-mono text-12 break-all">{link}</code>
        <CopyButton text={link} label={texts.copy} />
      </p>
    </Dialog>
  );
}
