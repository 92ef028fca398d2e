import { useRouter } from 'next/navigation';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import Link from '#app/_components/ui/link.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { day, Time } from '#app/_components/ui/time.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import type { ListedAccount } from './admin-account.ts';
import { PlanBadge } from './plan-badge.tsx';
import { admin } from './words.ts';

const texts = admin.accounts;

interface Picking {
  picked: ReadonlySet<string>;
  onPick: (picked: ReadonlySet<string>) => void;
}

/** Only accounts with a plan can be renewed. */
const isRenewable = ({ numbersIncluded }: ListedAccount) => numbersIncluded > 0;

function toggled(picked: ReadonlySet<string>, ids: readonly string[], on: boolean): Set<string> {
  const next = new Set(picked);
  for (const id of ids) on ? next.add(id) : next.delete(id);
  return next;
}

export function AccountTable({ accounts, picked, onPick }: Picking & { accounts: readonly ListedAccount[] }) {
  const me = useMe();
  const router = useRouter();
  const { columns } = texts;
  const renewable = accounts.filter(isRenewable).map(({ accountId }) => accountId);
  const all = renewable.length > 0 && renewable.every((id) => picked.has(id));
  return (
    <table className="table max-md:hidden">
      <TableHead
        columns={[
          {
            title: (
              <Checkbox checked={all} onChange={(on) => onPick(toggled(picked, renewable, on))}>
                <span className="sr-only">{texts.chooseAll}</span>
              </Checkbox>
            ),
            width: 44,
          },
          { title: columns.account },
          { title: columns.plan, width: 142 },
          { title: columns.numbers, width: 130, right: true },
          { title: columns.messages, width: 130, right: true, className: 'max-lg:hidden' },
          { title: columns.until, width: 150 },
          { title: columns.created, width: 130, right: true, className: 'max-lg:hidden' },
        ]}
      />
      <tbody>
        {accounts.map((account) => (
          <tr
            key={account.accountId}
            className="cursor-pointer"
            onClick={() => router.push(`/admin/accounts/${account.accountId}`)}
          >
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps a click on the box from opening the row */}
            <td className="cursor-default" onClick={(event) => event.stopPropagation()}>
              <Pick account={account} picked={picked} onPick={onPick} />
            </td>
            <td className="h-[52px]!">
              <span className="flex items-center gap-2">
                <Link href={`/admin/accounts/${account.accountId}`} className="truncate font-medium">
                  {account.name}
                </Link>
                {account.accountId === me.account.accountId && <Tag tone="brand">{texts.yours}</Tag>}
                {account.unconfirmed && <Tag tone="wait">{texts.unconfirmed}</Tag>}
              </span>
              {account.email !== account.name && (
                <span className="block truncate text-12 text-ink-3">{account.email}</span>
              )}
            </td>
            <td>
              <PlanBadge state={account.plan} suspended={account.suspended} />
            </td>
            <td className="text-right text-ink-2 tabular-nums">
              {texts.of(account.numbersUsed, account.numbersIncluded)}
              <span className="block text-12 text-ink-3">{texts.connected(account)}</span>
            </td>
            <td className="text-right text-ink-2 tabular-nums max-lg:hidden">
              {account.messages30Days.toLocaleString('en')}
            </td>
            <td className="text-ink-2">{account.paidUntil ? day(account.paidUntil) : ''}</td>
            <td className="text-right text-ink-2 max-lg:hidden">
              <Time at={account.createdAt} seconds={false} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pick({ account, picked, onPick }: Picking & { account: ListedAccount }) {
  if (!isRenewable(account)) return null;
  return (
    <Checkbox
      checked={picked.has(account.accountId)}
      onChange={(on) => onPick(toggled(picked, [account.accountId], on))}
    >
      <span className="sr-only">{texts.choose(account.name)}</span>
    </Checkbox>
  );
}

export function NarrowAccount({ account, picked, onPick }: Picking & { account: ListedAccount }) {
  return (
    <li className="flex items-center gap-3 border-line-soft pl-4 [&+&]:border-t">
      <span className="w-4 shrink-0">
        <Pick account={account} picked={picked} onPick={onPick} />
      </span>
      <Link href={`/admin/accounts/${account.accountId}`} className="block min-w-0 flex-1 py-3 pr-4">
        <span className="flex items-center justify-between gap-2">
          <b className="min-w-0 flex-1 truncate font-medium">{account.name}</b>
          {account.unconfirmed && <Tag tone="wait">{texts.unconfirmed}</Tag>}
          <PlanBadge state={account.plan} suspended={account.suspended} />
        </span>
        <span className="mt-0.5 flex justify-between gap-2 text-12 text-ink-3 tabular-nums">
          <span className="truncate">
            {account.paidUntil ? texts.paidUntil(day(account.paidUntil)) : account.email}
          </span>
          <span className="shrink-0">{texts.of(account.numbersUsed, account.numbersIncluded)}</span>
        </span>
      </Link>
    </li>
  );
}
