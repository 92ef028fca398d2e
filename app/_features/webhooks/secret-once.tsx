import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { webhooks } from './words.ts';

const texts = webhooks.secret;

/** Shows a signing secret, for the only time. */
export function SecretOnce({
  secret,
  rotated = false,
  onClose,
}: {
  secret: string;
  rotated?: boolean;
  onClose: () => void;
}) {
  const [stored, setStored] = useState(false);
  return (
    <Dialog
      keepOpen
      wide
      title={texts.title}
      text={<span className="text-13">{texts.text}</span>}
      footer={
        <div className="flex flex-1 flex-wrap items-center justify-between gap-2">
          <Checkbox checked={stored} onChange={setStored}>
            {texts.stored}
          </Checkbox>
          <Button variant="primary" disabled={!stored} onClick={onClose}>
            {texts.done}
          </Button>
        </div>
      }
    >
      <div className="flex items-center gap-2 rounded-3 border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
        <output className="min-w-0 flex-1 font-mono text-13 break-all" data-testid="webhook-secret">
          {secret}
        </output>
        <CopyButton text={secret} label={texts.copyLabel} variant="primary">
          {texts.copy}
        </CopyButton>
      </div>
      {rotated && <p className="mt-3 text-12 text-ink-3">{texts.rotated}</p>}
    </Dialog>
  );
}
