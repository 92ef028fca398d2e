'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Code } from '#app/_components/code.tsx';
import { Glyph } from '#app/_components/glyph.tsx';
import { useMe } from '#app/_components/shell/me.tsx';
import { useNumbers } from '#app/_components/shell/sidebar.tsx';
import { NumberGlyph } from '#app/_components/states.tsx';
import { day } from '#app/_components/time.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Field, Input } from '#app/_components/ui/field.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { common } from '#app/_texts/common.ts';
import { keys } from '#app/_texts/keys.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { exampleOf, sample } from './samples.ts';
import { EXAMPLE_TO, useSampleFiles } from './use-samples.ts';

const EXPIRY_DAYS = { never: null, d30: 30, d90: 90, d365: 365 } as const;
type Expiry = keyof typeof EXPIRY_DAYS;

interface Made {
  name: string;
  key: string;
  numberName: string;
  expiresAt: string | null;
}

/** Asks what the key is for, then shows it: the only time that it is on a screen. */
export default function CreateKey({ numberId, onClose }: { numberId: string | null; onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <ShownOnce made={made} onClose={onClose} />;
  return <CreateForm numberId={numberId} onClose={onClose} onMade={setMade} />;
}

function CreateForm({
  numberId: wanted,
  onClose,
  onMade,
}: {
  numberId: string | null;
  onClose: () => void;
  onMade: (made: Made) => void;
}) {
  const texts = keys.createDialog;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const numbers = useNumbers();
  const [numberId, setNumberId] = useState(
    numbers.some(({ id }) => id === wanted) ? (wanted ?? undefined) : numbers[0]?.id,
  );
  const [expiry, setExpiry] = useState<Expiry>('never');
  // The key must not stay in a cache of answers after its dialog.
  const create = useMutation(trpc.keys.create.mutationOptions({ gcTime: 0 }));
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const number = numbers.find(({ id }) => id === numberId);
    if (!number || create.isPending) return;
    const name = String(new FormData(event.currentTarget).get('name') ?? '');
    const days = EXPIRY_DAYS[expiry];
    const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();
    const answer = await create.mutateAsync({ numberId: number.id, name, expiresAt }).catch(() => null);
    if (!answer) return;
    void queryClient.invalidateQueries(trpc.keys.pathFilter());
    void queryClient.invalidateQueries(trpc.account.pathFilter());
    onMade({ name: name.trim() || 'API key', key: answer.key, numberName: number.name, expiresAt });
    create.reset();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={texts.text}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form="create-key" variant="primary" busy={create.isPending}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id="create-key" onSubmit={submit} className="flex flex-col gap-4">
        {create.error && (
          <Note tone="fail" assertive>
            {sentenceOf(create.error)}
          </Note>
        )}
        <Field label={texts.number}>
          {(tie) => (
            <Select
              {...tie}
              value={numberId}
              onChange={setNumberId}
              options={numbers.map((number) => ({
                value: number.id,
                label: (
                  <span className="flex items-center gap-2">
                    <NumberGlyph status={number.status} />
                    {number.name}
                  </span>
                ),
              }))}
            />
          )}
        </Field>
        <Field label={texts.name} help={texts.nameHelp}>
          {(tie) => <Input {...tie} name="name" maxLength={100} autoComplete="off" autoFocus />}
        </Field>
        <Field label={texts.expires}>
          {(tie) => (
            <Select
              {...tie}
              value={expiry}
              onChange={setExpiry}
              options={(Object.keys(EXPIRY_DAYS) as Expiry[]).map((value) => ({
                value,
                label: texts.expiry[value],
              }))}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function ShownOnce({ made, onClose }: { made: Made; onClose: () => void }) {
  const texts = keys.shown;
  const me = useMe();
  const files = useSampleFiles();
  const [stored, setStored] = useState(false);
  const base = `${me.publicUrl}/v1`;
  const command = sample('curl', {
    base,
    kind: 'text',
    request: exampleOf({ kind: 'text', to: EXAMPLE_TO, body: keys.code.body, files }),
    key: made.key,
  });
  return (
    <Dialog
      open
      keepOpen
      wide
      onOpenChange={() => {}}
      title={
        <span className="flex items-center gap-2 [--cut:var(--overlay)]">
          <Glyph shape="done" tone="ok" size={16} />
          {texts.title(made.name)}
        </span>
      }
      description={<span className="text-13">{texts.text}</span>}
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

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'wirebird.env';
  link.click();
  URL.revokeObjectURL(url);
}
