'use client';

import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { reference } from './words.ts';

const texts = reference.search;
const SearchDialog = lazyPart(() => import('./docs-search-dialog.tsx'));

/** Opens the search, also by Ctrl K or ⌘K. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className="docs-search" onClick={() => setOpen(true)}>
        <Search className="size-4" aria-hidden="true" />
        <span>{texts.open}</span>
        <kbd>Ctrl K</kbd>
      </button>
      {open && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}
