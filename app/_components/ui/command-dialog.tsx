import clsx from 'clsx';
import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';

export interface Pick {
  id: string;
  label: ReactNode;
  /** A second line. */
  hint?: ReactNode;
  /** Shown at the end of the line. */
  aside?: ReactNode;
  icon?: ReactNode;
}

export interface PickGroup<P extends Pick = Pick> {
  title?: string;
  picks: readonly P[];
}

/**
 * A search field over the page with a list of results. Arrows, Home, End, Enter and Escape work as usual; the
 * focus stays in the field and returns to where it was.
 */
export function CommandDialog<P extends Pick>({
  label,
  placeholder,
  query,
  onQuery,
  groups,
  empty,
  busy = false,
  footer,
  onPick,
  onClose,
}: {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  groups: readonly PickGroup<P>[];
  /** Shown when nothing matches. */
  empty: ReactNode;
  /** More results are loading. */
  busy?: boolean;
  footer?: ReactNode;
  onPick: (pick: P) => void;
  onClose: () => void;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string | null>(null);
  const picks = groups.flatMap((group) => group.picks);
  const at = Math.max(
    0,
    picks.findIndex((pick) => pick.id === activeId),
  );
  const active = picks[at];
  const optionId = (pick: P) => `${id}-${pick.id}`;

  // Opens before anything else takes the focus, and closes before the focus moves, so that the focus returns.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const choose = (pick: P | undefined) => {
    if (!pick) return;
    onClose();
    onPick(pick);
  };
  const go = (to: number) => {
    const next = picks[(to + picks.length) % picks.length];
    if (!next) return;
    setActiveId(next.id);
    list.current?.querySelector(`[id="${CSS.escape(optionId(next))}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends an input method's composition selects nothing.
    if (event.nativeEvent.isComposing) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    if (action === 'choose') choose(active);
    else if (action === 'first') go(0);
    else if (action === 'last') go(picks.length - 1);
    else go(at + action);
  };
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      data-state="open"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={onKeyDown}
      className="dialog-in fixed inset-x-0 top-0 z-50 mx-auto mt-[12dvh] mb-auto flex max-h-[min(520px,76dvh)] w-[calc(100%-24px)] max-w-[600px] flex-col overflow-hidden rounded-5 border border-line bg-overlay p-0 text-ink shadow-modal backdrop:bg-scrim max-sm:mt-3"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search className={clsx('size-4 shrink-0 text-ink-3', busy && 'animate-pulse')} aria-hidden="true" />
        <input
          role="combobox"
          aria-label={label}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(active) : undefined}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            onQuery(event.target.value);
            setActiveId(null);
            list.current?.scrollTo({ top: 0 });
          }}
          className="h-12 min-w-0 flex-1 bg-transparent text-14 outline-none placeholder:text-ink-3 max-md:text-16"
        />
        <kbd className="rounded-1 border border-line px-1.5 font-sans text-11 text-ink-3 max-sm:hidden">
          Esc
        </kbd>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className="overflow-y-auto p-1.5">
        {groups.map(
          (group, index) =>
            group.picks.length > 0 && (
              // biome-ignore lint/a11y/useSemanticElements: inside a list of options a group is no fieldset
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: groups keep their places
                key={index}
                role="group"
                aria-label={group.title ?? label}
              >
                {group.title && (
                  <div aria-hidden="true" className="px-2.5 pt-2 pb-1 text-11 font-medium text-ink-3">
                    {group.title}
                  </div>
                )}
                {group.picks.map((pick) => (
                  <Row
                    key={pick.id}
                    id={optionId(pick)}
                    pick={pick}
                    active={pick === active}
                    onPoint={() => setActiveId(pick.id)}
                    onChoose={() => choose(pick)}
                  />
                ))}
              </div>
            ),
        )}
      </div>
      {picks.length === 0 && (
        <p role="status" className="px-4 pb-5 text-center text-13 text-ink-2">
          {empty}
        </p>
      )}
      {footer}
    </dialog>
  );
}

const KEYS: Readonly<Record<string, number | 'first' | 'last' | 'choose'>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
  Home: 'first',
  End: 'last',
  Enter: 'choose',
};

function Row({
  id,
  pick,
  active,
  onPoint,
  onChoose,
}: {
  id: string;
  pick: Pick;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}) {
  return (
    // The field handles the keys for all of them.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      id={id}
      role="option"
      aria-selected={active}
      onPointerMove={active ? undefined : onPoint}
      onClick={onChoose}
      className={clsx(
        'flex min-h-9 cursor-pointer select-none items-center gap-2.5 rounded-2 px-2.5 py-1 text-13 max-md:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg:not(.status-icon)]:text-ink-3',
        active && 'bg-active',
      )}
    >
      {pick.icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{pick.label}</span>
        {pick.hint && <span className="block truncate text-12 text-ink-3">{pick.hint}</span>}
      </span>
      {pick.aside && <span className="shrink-0 text-12 text-ink-3 tabular-nums">{pick.aside}</span>}
    </div>
  );
}
