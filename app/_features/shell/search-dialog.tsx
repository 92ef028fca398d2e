import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { CommandDialog } from '#app/_components/ui/command-dialog.tsx';
import { useSettled } from '#app/_components/ui/use-settled.ts';
import { useMe } from './me.tsx';
import { search as texts } from './search-words.ts';
import { type Jump, useJumps } from './use-jumps.tsx';
import { shell } from './words.ts';

/** The server is asked when typing pauses. */
const PAUSE_MS = 150;

/** Finds pages, numbers, keys and messages, and for the administrator accounts. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const me = useMe();
  const router = useRouter();
  const [query, setQuery] = useState('');
  const settled = useSettled(query, PAUSE_MS);
  const { groups, busy } = useJumps(query, settled);
  return (
    <CommandDialog<Jump>
      label={shell.search.label}
      placeholder={me.admin ? texts.placeholderAdmin : texts.placeholder}
      query={query}
      onQuery={setQuery}
      groups={groups}
      busy={busy}
      empty={busy ? texts.looking : texts.empty}
      onPick={({ href }) => (href.startsWith('/api/') ? window.location.assign(href) : router.push(href))}
      onClose={onClose}
      footer={<Keys />}
    />
  );
}

function Keys() {
  return (
    <p
      aria-hidden="true"
      className="flex gap-4 border-t border-line-soft bg-sunken px-4 py-2 text-11 text-ink-3 max-md:hidden"
    >
      <span>↑ ↓ {texts.move}</span>
      <span>↵ {texts.go}</span>
    </p>
  );
}
