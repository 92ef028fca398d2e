import { Menu as MenuIcon } from 'lucide-react';
import Link from '#app/_components/ui/link.tsx';
import { Logo } from '#app/_components/ui/logo.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '#app/_components/ui/menu.tsx';
import { Bell } from '#app/_features/alerts/bell.tsx';
import { useLiveness } from '#app/_trpc/live.tsx';
import { useMe } from './me.tsx';
import { ADMINISTRATION, PLACES, type Place, useIsHere } from './nav.tsx';
import { LiveSign } from './page.tsx';
import { SearchIconButton } from './search.tsx';
import { Avatar, UserMenuItems } from './user-menu.tsx';
import { shell } from './words.ts';

export function NarrowTop() {
  const me = useMe();
  const { live } = useLiveness();
  return (
    <header className="sticky top-[var(--bar)] z-10 flex h-[52px] items-center gap-2.5 border-b border-line-soft bg-[color-mix(in_oklab,var(--surface)_92%,transparent)] px-4 text-16 font-semibold backdrop-blur-[10px] md:hidden">
      <Link href="/" aria-label={shell.nav.overview}>
        <Logo />
      </Link>
      <span className="min-w-0 flex-1 truncate">{me.account.name}</span>
      {!live && <LiveSign />}
      <SearchIconButton />
      <Bell />
      <Menu
        trigger={
          <button
            type="button"
            aria-label={shell.yourMenu}
            className="-ml-2.5 grid size-11 -mr-2 place-items-center rounded-full"
          >
            <Avatar email={me.email} size={28} />
          </button>
        }
      >
        <div className="px-2 pt-1.5 pb-1 text-12">
          <span className="block truncate font-medium">{me.email}</span>
          {me.admin && <span className="block text-ink-3">{shell.administrator}</span>}
        </div>
        <MenuLine />
        <UserMenuItems />
      </Menu>
    </header>
  );
}

const TAB =
  'flex flex-col items-center gap-[3px] py-1 text-11 leading-[14px] font-medium text-ink-3 [&>svg]:size-5 aria-[current=page]:text-brand-fg';

export function NarrowTabs() {
  const me = useMe();
  const isHere = useIsHere();
  const administration: readonly Place[] = me.admin ? ADMINISTRATION : [];
  const more: Place[] = [
    PLACES.requests,
    PLACES.webhooks,
    PLACES.tryIt,
    ...(me.sandbox ? [PLACES.sandbox] : []),
    PLACES.reference,
  ];
  const inMore = [...more, ...administration].some((place) => isHere(place.href));
  return (
    <nav
      aria-label={shell.main}
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-5 border-t border-line bg-[color-mix(in_oklab,var(--surface)_94%,transparent)] px-1 pt-1.5 pb-[max(6px,env(safe-area-inset-bottom))] backdrop-blur-[12px] md:hidden"
    >
      {[PLACES.overview, PLACES.messages, PLACES.numbers, PLACES.keys].map((place) => (
        <Link
          key={place.href}
          href={place.href}
          className={TAB}
          aria-current={isHere(place.href) ? 'page' : undefined}
        >
          <place.icon strokeWidth={1.75} />
          {place.label}
        </Link>
      ))}
      <Menu
        side="top"
        trigger={
          <button type="button" className={TAB} aria-current={inMore ? 'page' : undefined}>
            <MenuIcon strokeWidth={1.75} />
            {shell.nav.more}
          </button>
        }
      >
        {more.map((place) => (
          <MenuPlace key={place.href} place={place} />
        ))}
        {administration.length > 0 && (
          <>
            <MenuLine />
            <MenuLabel>{shell.administration}</MenuLabel>
            {administration.map((place) => (
              <MenuPlace key={place.href} place={place} />
            ))}
          </>
        )}
      </Menu>
    </nav>
  );
}

function MenuPlace({ place }: { place: Place }) {
  return (
    <MenuItem asChild>
      <Link href={place.href}>
        <place.icon />
        {place.label}
      </Link>
    </MenuItem>
  );
}
