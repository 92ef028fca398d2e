import { useState } from 'react';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { numbers } from './words.ts';

const texts = numbers.groups;
/** From this many groups on, the list has a search field. */
const SEARCHED_FROM = 8;
type Group = NonNullable<Outputs['numbers']['groups']['groups']>[number];

/** The groups that a number has listed. Few numbers send to groups, so it loads on demand. */
export default function GroupList({ groups }: { groups: Group[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = groups.filter(({ name, id }) => name.toLowerCase().includes(wanted) || id.includes(wanted));
  return (
    <>
      {groups.length >= SEARCHED_FROM && (
        <div className="border-b border-line-soft p-2">
          <Input
            type="search"
            aria-label={texts.search}
            placeholder={texts.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      )}
      <ul className="max-h-[320px] overflow-auto [scrollbar-width:thin]">
        {found.map((group) => (
          <li
            key={group.id}
            className="flex min-h-12 items-center gap-2.5 border-line-soft px-4 py-1.5 text-13 [&+&]:border-t"
          >
            <span className="min-w-0 flex-1">
              <b className="block truncate font-medium">{group.name || texts.unnamed}</b>
              <span className="block truncate font-mono text-12 text-ink-3">{group.id}</span>
            </span>
            <span className="shrink-0 text-12 text-ink-3 tabular-nums">
              {texts.people(group.participants)}
            </span>
            <CopyButton text={group.id} label={texts.copy(group.name)} className="-mr-2" />
          </li>
        ))}
        {found.length === 0 && <li className="px-4 py-3.5 text-13 text-ink-2">{texts.notFound}</li>}
      </ul>
    </>
  );
}
