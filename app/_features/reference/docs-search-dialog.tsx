import { useEffect, useState } from 'react';
import { CommandDialog, type Pick } from '#app/_components/ui/command-dialog.tsx';
import { matches } from '#app/_components/ui/pick-match.ts';
import type { DocsEntry } from './search-index.ts';
import { reference } from './words.ts';

const texts = reference.search;
const FOUND_MAX = 30;

/** Finds endpoints, headers, error codes, events and guides. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [entries, setEntries] = useState<DocsEntry[] | 'failed' | null>(null);
  useEffect(() => {
    loadEntries().then(setEntries, () => setEntries('failed'));
  }, []);
  const all = Array.isArray(entries) ? entries : [];
  return (
    <CommandDialog<Pick>
      label={texts.label}
      placeholder={texts.placeholder}
      query={query}
      onQuery={setQuery}
      groups={[
        {
          picks: found(all, query).map(({ href, title, about }) => ({ id: href, label: title, hint: about })),
        },
      ]}
      busy={entries === null}
      empty={entries === null ? texts.loading : entries === 'failed' ? texts.failed : texts.empty}
      onPick={({ id }) => window.location.assign(id)}
      onClose={onClose}
    />
  );
}

async function loadEntries(): Promise<DocsEntry[]> {
  const answer = await fetch('/docs/search');
  if (!answer.ok) throw new Error(`GET /docs/search answered ${answer.status}`);
  return answer.json();
}

/** Entries with the words in their title come first. */
function found(entries: DocsEntry[], query: string): DocsEntry[] {
  const named = entries.filter(({ title }) => matches(query, title));
  const others = entries.filter(
    ({ title, about, words }) => !matches(query, title) && matches(query, `${title} ${about} ${words}`),
  );
  return [...named, ...others].slice(0, FOUND_MAX);
}
