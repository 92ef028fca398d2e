'use client';

import { usePathname } from 'next/navigation';
import Link from '#app/_components/ui/link.tsx';
import { account } from './words.ts';

const PLACES = [
  ['/account', account.tabs.you],
  ['/account/settings', account.tabs.settings],
  ['/account/people', account.tabs.people],
  ['/account/plan', account.tabs.plan],
] as const;

/** The pages about the user and the account. */
export function AccountTabs() {
  const path = usePathname();
  return (
    <nav aria-label={account.tabs.label} className="-mb-2 flex gap-1 overflow-x-auto border-b border-line">
      {PLACES.map(([href, label]) => (
        <Link
          key={href}
          href={href}
          aria-current={path === href ? 'page' : undefined}
          className="-mb-px flex h-9 items-center border-b-2 border-transparent px-2.5 text-13 font-medium whitespace-nowrap text-ink-3 hover:text-ink aria-[current=page]:border-brand-solid aria-[current=page]:text-ink max-md:h-11"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
