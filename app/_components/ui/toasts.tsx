import { X } from 'lucide-react';
import * as Radix from 'radix-ui/toast';
import { Button } from './button.tsx';
import { type Shape, StatusIcon, type Tone } from './status-icon.tsx';
import { common } from './words.ts';

export interface Toast {
  tone: Extract<Tone, 'ok' | 'warn' | 'fail'>;
  title: string;
  text?: string;
}

const SHAPE: Record<Toast['tone'], Shape> = { ok: 'done', warn: 'question', fail: 'cross' };
/** Long enough to read; hover and focus pause it. */
const SHOWN_MS = 8000;

export default function Toasts({
  toasts,
  onGone,
}: {
  toasts: (Toast & { id: number })[];
  onGone: (id: number) => void;
}) {
  return (
    <Radix.Provider duration={SHOWN_MS} label={common.notification} swipeDirection="right">
      {toasts.map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.tone === 'fail' ? 'foreground' : 'background'}
          onOpenChange={(open) => !open && onGone(toast.id)}
          className="toast-in flex w-full items-start gap-2.5 rounded-4 border border-line bg-overlay py-3 pr-3 pl-3.5 text-13 shadow-pop [--cut:var(--overlay)]"
        >
          <StatusIcon shape={SHAPE[toast.tone]} tone={toast.tone} className="mt-[3px]" />
          <div className="min-w-0 flex-1">
            <Radix.Title className="font-medium">{toast.title}</Radix.Title>
            {toast.text && <Radix.Description className="text-ink-2">{toast.text}</Radix.Description>}
          </div>
          <Radix.Close asChild>
            <Button variant="ghost" size="small" icon aria-label={common.dismiss} className="-m-1">
              <X />
            </Button>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed right-4 bottom-4 z-[80] flex w-[380px] max-w-[calc(100vw-32px)] flex-col gap-2.5 outline-none max-md:right-4 max-md:bottom-20" />
    </Radix.Provider>
  );
}
