import { Building2, Check, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { MenuItem, MenuLabel, MenuLine } from '#app/_components/ui/menu.tsx';
import { leave } from '#app/_features/auth/leave.ts';
import { keepChoice } from './keep-choice.ts';
import { useMe } from './me.tsx';
import { THEMES, type Theme } from './theme.ts';
import { useTheme } from './use-theme.ts';
import { shell } from './words.ts';

const THEME_ICONS: Record<Theme, ReactNode> = { system: <Monitor />, light: <Sun />, dark: <Moon /> };

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
