import { Tag } from '#app/_components/ui/badge.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Logo } from '#app/_components/ui/logo.tsx';
import { NumberGlyph } from '#app/_components/ui/states.tsx';
import { common } from '#app/_components/ui/words.ts';
import { signOf } from '#server/core/number-sign.ts';
import { useMe } from './me.tsx';
import { ADMINISTRATION, Count, NavLink, NavRow, PLACES, useIsHere } from './nav.tsx';
import { PlanBox } from './plan-box.tsx';
import { SearchButton } from './search.tsx';
import { useNumbers } from './use-numbers.ts';
import { UserMenu } from './user-menu.tsx';
import { shell } from './words.ts';

/** From 901 px; below that the tabs at the bottom replace it. */
export function Sidebar() {
  const me = useMe();
  return (
    <aside className="sticky top-[var(--bar)] flex h-[calc(100dvh-var(--bar))] flex-col gap-3.5 overflow-x-hidden overflow-y-auto pt-3 pr-2 pb-2.5 pl-3 max-md:hidden">
      <Link href="/" className="flex h-9 shrink-0 items-center gap-2.5 rounded-3 px-2 font-semibold">
        <Logo />
        <span>{common.product}</span>
      </Link>
      <SearchButton />
      <nav aria-label={shell.main} className="flex flex-col gap-px">
        <NavLink place={PLACES.overview} exact />
        <NavLink place={PLACES.messages} />
        <NavLink place={PLACES.requests} />
        <NumbersLink />
        <NavLink place={PLACES.keys} />
        <NavLink place={PLACES.webhooks} />
        <NavLink place={PLACES.tryIt} />
        {me.sandbox && <NavLink place={PLACES.sandbox} />}
      </nav>
      <NumberLinks />
      {me.admin && (
        <div>
          <div className="px-2 pb-1 text-11 font-medium text-ink-3">{shell.administration}</div>
          <nav aria-label={shell.administration} className="flex flex-col gap-px">
            {ADMINISTRATION.map((place) => (
              <NavLink key={place.href} place={place} />
            ))}
          </nav>
        </div>
      )}
      <div className="mt-auto flex flex-col gap-2">
        <PlanBox />
        <nav aria-label={PLACES.reference.label}>
          <NavLink place={PLACES.reference} />
        </nav>
        <UserMenu />
      </div>
    </aside>
  );
}

function NumbersLink() {
  const numbers = useNumbers();
  return <NavLink place={PLACES.numbers} count={numbers.length} exact />;
}

/** Each number with its state, so that problems show on every page. */
function NumberLinks() {
  const numbers = useNumbers();
  const isHere = useIsHere();
  if (numbers.length === 0) return null;
  return (
    <div>
      <div className="px-2 pb-1 text-11 font-medium text-ink-3">{shell.numbers}</div>
      <nav aria-label={shell.numbers} className="flex flex-col gap-px">
        {numbers.map((number) => (
          <NavRow key={number.id} href={`/numbers/${number.id}`} current={isHere(`/numbers/${number.id}`)}>
            <NumberGlyph sign={signOf(number)} />
            <span className="min-w-0 truncate">{number.name}</span>
            <span className="ml-auto flex shrink-0 items-center gap-1.5">
              {number.waiting > 0 && <Count>{number.waiting}</Count>}
              {number.network === 'sandbox' && <Tag>{common.sandbox}</Tag>}
            </span>
          </NavRow>
        ))}
      </nav>
    </div>
  );
}
