import { Building2, Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Menu, MenuItem, MenuLabel, MenuLine } from '#app/_components/ui/menu.tsx';
import { leave } from '#app/_features/auth/leave.ts';
import { keepChoice } from './keep-choice.ts';
import { useMe } from './me.tsx';
import { THEMES, type Theme, themeOf } from './theme.ts';
import { shell } from './words.ts';

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
    <Menu
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
      <UserMenuItems />
    </Menu>
  );
}

const THEME_ICONS: Record<Theme, ReactNode> = { system: <Monitor />, light: <Sun />, dark: <Moon /> };

/** Accounts, theme and signing out; also inside the narrow screen's menu. */
export function UserMenuItems() {
  const me = useMe();
  const router = useRouter();
  const [theme, setTheme] = useTheme();
  return (
    <>
      {me.accounts.length > 1 && (
        <>
          <MenuLabel>{shell.account}</MenuLabel>
          {me.accounts.map((account) => (
            <MenuItem key={account.accountId} onSelect={() => chooseAccount(account.accountId)}>
              <Building2 />
              <span className="min-w-0 flex-1 truncate">{account.name}</span>
              {account.accountId === me.account.accountId && <Check />}
            </MenuItem>
          ))}
          <MenuLine />
        </>
      )}
      <MenuItem onSelect={() => router.push('/account')}>
        <UserRound />
        {shell.yourAccount}
      </MenuItem>
      <MenuLine />
      <MenuLabel>{shell.theme}</MenuLabel>
      {THEMES.map((choice) => (
        <MenuItem
          key={choice}
          onSelect={(event) => {
            event.preventDefault();
            setTheme(choice);
          }}
        >
          {THEME_ICONS[choice]}
          <span className="flex-1">{shell.themes[choice]}</span>
          {choice === theme && <Check />}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => void leave()}>
        <LogOut />
        {shell.signOut}
      </MenuItem>
    </>
  );
}

function chooseAccount(accountId: string): void {
  // Only a choice: the server looks it up among the user's own accounts.
  keepChoice('account', accountId);
  window.location.assign('/');
}

const themeListeners = new Set<() => void>();

function onThemeChange(listener: () => void): () => void {
  themeListeners.add(listener);
  return () => themeListeners.delete(listener);
}

const shownTheme = (): Theme => themeOf(document.documentElement.dataset.theme);

function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // A cookie, so that the server renders the right theme and nothing flashes.
  keepChoice('theme', theme);
  for (const listener of themeListeners) listener();
}

/** The viewer's theme, and how to change it now and for later visits. */
function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(onThemeChange, shownTheme, () => 'system' as const), chooseTheme];
}
