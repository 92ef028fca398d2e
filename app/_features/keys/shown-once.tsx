import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { day } from '#app/_components/ui/time.tsx';
import { viewersZone, zoneName } from '#app/_components/ui/times-in.tsx';
import { holdKey } from '#app/_features/reference/held-key.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { curlCommand } from './curl-command.ts';
import { keyDialogs } from './dialog-words.ts';

export interface Made {
  name: string;
  key: string;
  numberName: string;
  expiresAt: string | null;
  /** After a rotation: until when the old key works. */
  oldUntil?: string;
}

/** Shows a key, for the only time. */
export function ShownOnce({ made, onClose }: { made: Made; onClose: () => void }) {
  const texts = keyDialogs.shown;
  const me = useMe();
  const router = useRouter();
  const [stored, setStored] = useState(false);
  const base = `${me.publicUrl}/v1`;
  const command = curlCommand(
    {
      ...{ base, kind: 'text' },
      request: exampleRequest('text', PLACEHOLDER_FILES),
    },
    { key: made.key, headers: [`Idempotency-Key: first-message-${made.key.slice(-6)}`] },
  );
  return (
    <Dialog
      keepOpen
      wide
      title={
        <span className="flex items-center gap-2 [--cut:var(--overlay)]">
          <StatusIcon shape="done" tone="ok" size={16} />
          {texts.title(made.name)}
        </span>
      }
      text={<span className="text-13">{texts.text}</span>}
      footer={
        <div className="flex flex-1 flex-wrap items-center justify-between gap-2">
          <Checkbox checked={stored} onChange={setStored}>
            {texts.stored}
          </Checkbox>
          <span className="flex gap-2">
            <Button
              disabled={!stored}
              onClick={() => {
                holdKey(made.key);
                router.push('/docs#authentication');
              }}
            >
              {texts.reference}
            </Button>
            <Button variant="primary" disabled={!stored} onClick={onClose}>
              {texts.done}
            </Button>
          </span>
        </div>
      }
    >
      <div className="flex items-center gap-2 rounded-3 border border-line-strong bg-sunken py-1.5 pr-1.5 pl-3">
        <output
          className="min-w-0 flex-1 font-mono text-13 font-medium tracking-[-0.01em] break-all"
          data-testid="api-key"
        >
          {made.key}
        </output>
        <CopyButton text={made.key} label={texts.copyLabel} variant="primary">
          {texts.copy}
        </CopyButton>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={() => download(`WIREBIRD_URL=${base}\nWIREBIRD_KEY=${made.key}\n`)}>
          <Download />
          {texts.env}
        </Button>
        <span className="text-12 text-ink-3">
          {made.oldUntil &&
            `${texts.oldUntil(dayAndTime.format(new Date(made.oldUntil)), zoneName(viewersZone()))} `}
          {made.expiresAt
            ? texts.until(made.numberName, day(made.expiresAt.slice(0, 10)))
            : texts.never(made.numberName)}
        </span>
      </div>
      <div className="mt-5 flex items-end justify-between gap-3">
        <div>
          <h3>{texts.tryIt}</h3>
          <p className="text-13 text-ink-2">{texts.tryText}</p>
        </div>
        <CopyButton text={command} label={texts.copyCommand}>
          {texts.copyCommand}
        </CopyButton>
      </div>
      <div className="mt-2.5 overflow-hidden rounded-4 border border-line bg-raised">
        <Code text={command} />
      </div>
    </Dialog>
  );
}

const dayAndTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'wirebird.env';
  link.click();
  URL.revokeObjectURL(url);
}
