import { Search as SearchIcon } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { useInBrowser } from '#app/_components/ui/use-in-browser.ts';
import { shell } from './words.ts';

const fetchDialog = () => import('./search-dialog.tsx');
const SearchDialog = lazyPart(fetchDialog);

const Context = createContext<() => void>(() => {});

/** Opens the search by ⌘K on a Mac, else by Ctrl K, and from the buttons inside it. */
export function SearchProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      // An open dialog comes first.
      if (document.querySelector('[role=dialog][data-state=open], [role=alertdialog]')) return;
      setOpen((now) => !now);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <Context value={() => setOpen(true)}>
      {children}
      {open && <SearchDialog onClose={() => setOpen(false)} />}
    </Context>
  );
}

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform);

function isShortcut(event: KeyboardEvent): boolean {
  const [held, other] = isMac() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  return held && !other && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
}

/** The props of every button that opens the search. */
function useOpener() {
  const open = useContext(Context);
  const fetchQuietly = () => void fetchDialog().catch(() => undefined);
  return {
    type: 'button',
    'aria-haspopup': 'dialog',
    onPointerEnter: fetchQuietly,
    onFocus: fetchQuietly,
    onClick: open,
  } as const;
}

/** The search button in the sidebar, with its shortcut. */
export function SearchButton() {
  const inBrowser = useInBrowser();
  return (
    <button
      {...useOpener()}
      className="flex h-8 w-full shrink-0 items-center gap-2 rounded-3 border border-line bg-surface px-2.5 text-left text-13 text-ink-3 hover:border-line-strong hover:text-ink"
    >
      <SearchIcon className="size-4 shrink-0" strokeWidth={1.75} />
      <span className="min-w-0 flex-1 truncate">{shell.search.open}</span>
      <kbd className="min-w-[34px] text-right font-sans text-11">
        {inBrowser && (isMac() ? '⌘ K' : 'Ctrl K')}
      </kbd>
    </button>
  );
}

/** The search button on narrow screens. */
export function SearchIconButton() {
  return (
    <button
      {...useOpener()}
      aria-label={shell.search.label}
      className="grid size-11 place-items-center rounded-full text-ink-2 -mx-2"
    >
      <SearchIcon className="size-5" strokeWidth={1.75} />
    </button>
  );
}
