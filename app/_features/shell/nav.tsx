import clsx from 'clsx';
import {
  Activity,
  AppWindow,
  ArrowLeftRight,
  Bell,
  BookOpen,
  FlaskConical,
  Key,
  LayoutDashboard,
  type LucideIcon,
  MessageSquareText,
  ScrollText,
  Send,
  Server,
  SlidersHorizontal,
  Smartphone,
  Users,
  Webhook,
} from 'lucide-react';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { shell } from './words.ts';

export interface Place {
  href: string;
  label: string;
  icon: LucideIcon;
}

const { nav } = shell;
/** The pages of the navigation. */
export const PLACES = {
  overview: { href: '/', label: nav.overview, icon: LayoutDashboard },
  messages: { href: '/messages', label: nav.messages, icon: MessageSquareText },
  requests: { href: '/requests', label: nav.requests, icon: ArrowLeftRight },
  numbers: { href: '/numbers', label: nav.numbers, icon: Smartphone },
  keys: { href: '/keys', label: nav.keys, icon: Key },
  webhooks: { href: '/webhooks', label: nav.webhooks, icon: Webhook },
  tryIt: { href: '/try', label: nav.tryIt, icon: Send },
  sandbox: { href: '/sandbox', label: nav.sandbox, icon: FlaskConical },
  reference: { href: '/docs', label: nav.reference, icon: BookOpen },
  accounts: { href: '/admin/accounts', label: nav.accounts, icon: Users },
  health: { href: '/admin/health', label: nav.health, icon: Activity },
  workers: { href: '/admin/workers', label: nav.workers, icon: Server },
  builds: { href: '/admin/whatsapp-web', label: nav.builds, icon: AppWindow },
  alerts: { href: '/admin/alerts', label: nav.alerts, icon: Bell },
  audit: { href: '/admin/audit', label: nav.audit, icon: ScrollText },
  settings: { href: '/admin/settings', label: nav.settings, icon: SlidersHorizontal },
} as const satisfies Record<string, Place>;

/** The administrator's additional pages. */
export const ADMINISTRATION: readonly Place[] = [
  PLACES.accounts,
  PLACES.health,
  PLACES.workers,
  PLACES.builds,
  PLACES.alerts,
  PLACES.audit,
  PLACES.settings,
];

/** Is this page, or one below it, on screen? */
export function useIsHere(): (href: string, exact?: boolean) => boolean {
  const path = usePathname();
  return (href, exact = false) => path === href || (!exact && href !== '/' && path.startsWith(`${href}/`));
}

const ROW =
  'flex h-[30px] items-center gap-2.5 rounded-2 px-2 text-13 font-medium text-ink-2 hover:bg-hover hover:text-ink ' +
  'aria-[current=page]:bg-active aria-[current=page]:text-ink [&>svg:not(.status-icon)]:size-4 [&>svg:not(.status-icon)]:shrink-0 ' +
  '[&>svg:not(.status-icon)]:text-ink-3 aria-[current=page]:[&>svg:not(.status-icon)]:text-brand-fg';

export function NavLink({ place, count, exact }: { place: Place; count?: number; exact?: boolean }) {
  const isHere = useIsHere();
  return (
    <NavRow href={place.href} current={isHere(place.href, exact)}>
      <place.icon strokeWidth={1.75} />
      <span>{place.label}</span>
      {count !== undefined && count > 0 && <Count>{count}</Count>}
    </NavRow>
  );
}

export function NavRow({ href, current, children }: { href: string; current: boolean; children: ReactNode }) {
  return (
    <Link href={href} className={ROW} aria-current={current ? 'page' : undefined}>
      {children}
    </Link>
  );
}

export function Count({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span className={clsx('ml-auto text-12 font-normal text-ink-2 tabular-nums', className)}>{children}</span>
  );
}
