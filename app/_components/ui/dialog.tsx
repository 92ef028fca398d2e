import { X } from 'lucide-react';
import * as Radix from 'radix-ui/dialog';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { common } from './words.ts';

export interface DialogContent {
  title: ReactNode;
  /** Below the title. */
  text?: ReactNode;
  wide?: boolean;
  footer?: ReactNode;
  /** Only its own buttons close it, because its content is shown only once. */
  keepOpen?: boolean;
  onClose?: () => void;
  children?: ReactNode;
}

export const DIALOG =
  'dialog-in fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[92dvh] w-full max-w-[440px] flex-col overflow-hidden rounded-t-5 border border-line bg-overlay shadow-modal outline-none ' +
  'sm:inset-0 sm:my-auto sm:h-fit sm:w-[calc(100%-32px)] sm:rounded-5';

/** The last element outside dialogs from which a dialog was opened. */
let origin: HTMLElement | null = null;

/** Where the focus was before, also before a dialog that this one replaced; pass it to `onCloseAutoFocus`. */
export function useFocusBack(): (event: Event) => void {
  const before = useRef<HTMLElement | null>(null);
  before.current ??= focused();
  return (event) => {
    event.preventDefault();
    const back = [before.current, origin].find((element) => element?.isConnected);
    if (back) back.focus();
    else focusContent();
  };
}

/** When the button is gone, because its action was carried out. Otherwise the keyboard starts at the top of the page. */
function focusContent(): void {
  const content = document.getElementById('content');
  if (!content) return;
  content.tabIndex = -1;
  content.classList.add('outline-none');
  content.focus({ preventScroll: true });
}

/** The focused element; for an action in a menu, the menu's button. */
function focused(): HTMLElement | null {
  // The server renders a dialog that is open from the start.
  if (typeof document === 'undefined') return null;
  const element = document.activeElement;
  const button = element?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const kept = button ? document.getElementById(button) : element;
  if (!(kept instanceof HTMLElement)) return null;
  if (!kept.closest('[role$=dialog]')) origin = kept;
  return kept;
}

/** A question or a form over the page. Escape, the cross or a click outside closes it. */
export function Dialog({
  onClose,
  title,
  text,
  wide = false,
  children,
  footer,
  keepOpen = false,
}: DialogContent) {
  const focusBack = useFocusBack();
  const guard = keepOpen ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim-in fixed inset-0 z-50 bg-scrim" />
        <Radix.Content
          className={wide ? DIALOG.replace('max-w-[440px]', 'max-w-[600px]') : DIALOG}
          onCloseAutoFocus={focusBack}
          {...(text ? {} : { 'aria-describedby': undefined })}
          {...(guard
            ? { onEscapeKeyDown: guard, onPointerDownOutside: guard, onInteractOutside: guard }
            : {})}
        >
          <div className="flex items-start gap-3 px-5 pt-5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-16 tracking-[-0.015em]">{title}</Radix.Title>
              {text && <Radix.Description className="mt-1.5 text-ink-2">{text}</Radix.Description>}
            </div>
            {!keepOpen && (
              <Radix.Close asChild>
                <Button variant="ghost" size="small" icon aria-label={common.close} className="-mt-1 -mr-2">
                  <X />
                </Button>
              </Radix.Close>
            )}
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-4 pb-5 empty:pt-0">{children}</div>
          {footer && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line-soft px-5 py-3">
              {footer}
            </div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
