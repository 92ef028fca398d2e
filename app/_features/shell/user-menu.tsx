import { ChevronsUpDown } from 'lucide-react';
import { LazyMenu } from '#app/_components/ui/lazy-menu.tsx';
import { lazyModule } from '#app/_components/ui/lazy-module.ts';
import { useMe } from './me.tsx';
import { shell } from './words.ts';

/** Accounts, theme and signing out; also inside the narrow screen's menu. */
export const useUserMenuItems = lazyModule(() => import('./user-menu-items.tsx'));

/** Two letters for a user, in place of a picture. */
function initials(email: string): string {
  const words = (email.split('@')[0] ?? '').split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word[0]) : [...(words[0] ?? '?')].slice(0, 2);
  return letters.join('').toUpperCase();
}

export function Avatar({ email, size = 24 }: { email: string; size?: number }) {
  return (
    <span
      aria-hidden="true"
      style={{ width: size, height: size, fontSize: Math.round(size * 0.42) }}
      className="grid shrink-0 place-items-center rounded-full bg-brand-bg font-semibold tracking-normal text-brand-fg shadow-[inset_0_0_0_1px_var(--brand-line)]"
    >
      {initials(email)}
    </span>
  );
}

export function UserMenu() {
  const me = useMe();
  return (
    <LazyMenu
      useParts={useUserMenuItems}
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-2 px-2 py-1 text-left hover:bg-hover"
        >
          <Avatar email={me.email} />
          <span className="min-w-0 flex-1 text-12">
            <span className="block truncate font-medium">{me.email}</span>
            {/* A new account has the address of its first member as its name. */}
            {me.account.name !== me.email && (
              <span className="block truncate text-ink-3">{me.account.name}</span>
            )}
          </span>
          <ChevronsUpDown className="size-3.5 text-ink-3" />
          <span className="sr-only">{shell.yourMenu}</span>
        </button>
      }
    >
      {({ UserMenuItems }) => <UserMenuItems />}
    </LazyMenu>
  );
}
