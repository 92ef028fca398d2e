'use client';

import * as Radix from 'radix-ui/alert-dialog';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { DIALOG, useFocusBack } from './dialog-parts.tsx';
import { Note } from './note.tsx';
import { type Shape, StatusIcon, type Tone } from './status-icon.tsx';

export interface Consequence {
  /** What stops, is lost or stays. */
  kind: 'ends' | 'stays';
  text: ReactNode;
}

export interface Question {
  title: ReactNode;
  consequences: Consequence[];
  keepWord: string;
  doWord: string;
  onConfirm: () => Promise<unknown>;
}

const SIGN: Record<Consequence['kind'], { shape: Shape; tone: Tone }> = {
  ends: { shape: 'slash', tone: 'mute' },
  stays: { shape: 'done', tone: 'ok' },
};

export default function OpenConfirm({
  onClose,
  title,
  children,
  consequences,
  keepWord,
  doWord,
  onConfirm,
}: Question & { onClose: () => void; children?: ReactNode }) {
  const focusBack = useFocusBack();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setBusy(false);
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim-in fixed inset-0 z-40 bg-scrim" />
        <Radix.Content className={DIALOG} onCloseAutoFocus={focusBack}>
          <div className="overflow-y-auto px-5 pt-5 pb-[18px] [--cut:var(--overlay)]">
            <Radix.Title className="text-16 tracking-[-0.015em]">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="mt-1.5 text-ink-2">{children}</div>
            </Radix.Description>
            <ul className="mt-3.5 grid gap-2 text-13">
              {consequences.map((consequence, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of sentences
                <li key={index} className="flex gap-[9px]">
                  <StatusIcon {...SIGN[consequence.kind]} className="mt-[3px]" />
                  <span>{consequence.text}</span>
                </li>
              ))}
            </ul>
            {error && (
              <div className="mt-4">
                <Note tone="fail" assertive>
                  {error}
                </Note>
              </div>
            )}
          </div>
          <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft px-5 py-3">
            <Radix.Cancel asChild>
              <Button>{keepWord}</Button>
            </Radix.Cancel>
            <Button variant="destroy" busy={busy} onClick={confirm}>
              {doWord}
            </Button>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
