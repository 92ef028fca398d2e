import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { Key as KeyIcon, MessageSquareText, MoreHorizontal, Plus, RefreshCw, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { ConfirmDialog } from '#app/_components/ui/confirm.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Menu, MenuItem } from '#app/_components/ui/menu.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useReadOnly } from '#app/_components/ui/read-only.ts';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { common } from '#app/_components/ui/words.ts';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { RotateKey } from './rotate-key.tsx';
import { keys } from './words.ts';

const texts = keys.list;
type Key = Outputs['keys']['list'][number];

/** Polled, because `lastUsedAt` changes without a notification. */
const LOOK_MS = 10_000;

function works(key: Key, now: number): boolean {
  return !key.revokedAt && !(key.expiresAt && new Date(key.expiresAt).getTime() <= now);
}

export function KeyList({ onCreate }: { onCreate: () => void }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.keys.list.queryOptions(undefined, { refetchInterval: LOOK_MS }),
  );
  const [all, setAll] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [rotating, setRotating] = useState<Key | null>(null);
  const numbers = useNumbers();
  const now = Date.now();
  const working = data?.filter((key) => works(key, now)) ?? [];
  const ended = data?.filter((key) => !works(key, now)) ?? [];
  const shown = all ? [...working, ...ended] : working;
  return (
    <Section title={texts.title} aside={texts.aside}>
      <Failure error={error} retry={refetch} />
      {!data && !error && (
        <Card>
          <SkeletonRows rows={3} />
        </Card>
      )}
      {working.map(
        ({ id, name, hangUps }) =>
          hangUps && (
            <Note key={id} tone="warn" title={texts.hangUps.title(name, hangUps.count, hangUps.seconds)}>
              {texts.hangUps.text} {texts.hangUps.last} <Time at={hangUps.lastAt} />.
            </Note>
          ),
      )}
      {data && (
        <Card>
          {shown.length === 0 ? (
            <NoKey onCreate={onCreate} />
          ) : (
            <KeyTable rows={shown} onRevoke={setRevoking} onRotate={setRotating} />
          )}
          {data.length > 0 && (
            <CardFoot>
              {shown.length > 0 && <TimesIn />}
              {ended.length > 0 && !all && (
                <Button variant="ghost" size="small" className="-my-1 -mr-1.5" onClick={() => setAll(true)}>
                  {texts.showRevoked(ended.length)}
                </Button>
              )}
            </CardFoot>
          )}
        </Card>
      )}
      {revoking && <RevokeDialog item={revoking} onClose={() => setRevoking(null)} />}
      {rotating && (
        <RotateKey
          item={rotating}
          numberName={numbers.find(({ id }) => id === rotating.numberId)?.name ?? texts.removedNumber}
          onClose={() => setRotating(null)}
        />
      )}
    </Section>
  );
}

function NoKey({ onCreate }: { onCreate: () => void }) {
  const first = useNumbers().length === 0;
  if (first) return <Empty icon={<KeyIcon />} {...texts.noNumber} href="/numbers/new" />;
  return (
    <Empty
      icon={<KeyIcon />}
      {...texts.empty}
      action={
        <Button changes onClick={onCreate}>
          <Plus />
          {keys.create}
        </Button>
      }
    />
  );
}

interface Actions<T> {
  onRevoke: T;
  onRotate: T;
}

function KeyTable({ rows, onRevoke, onRotate }: Actions<(key: Key) => void> & { rows: Key[] }) {
  return (
    <table className="table max-sm:block max-sm:[&_tbody]:block">
      <TableHead
        className="max-sm:hidden"
        columns={[
          { title: texts.name, width: '21%' },
          { title: texts.key, width: '26%' },
          { title: texts.number, width: '16%' },
          { title: texts.lastUsed, width: '16%' },
          { title: texts.expires, width: '21%' },
          { title: <span className="sr-only">{common.actions(texts.title)}</span>, width: 60 },
        ]}
      />
      <tbody>
        {rows.map((key) => (
          <KeyRow key={key.id} item={key} onRevoke={() => onRevoke(key)} onRotate={() => onRotate(key)} />
        ))}
      </tbody>
    </table>
  );
}

function KeyRow({ item, onRevoke, onRotate }: Actions<() => void> & { item: Key }) {
  const router = useRouter();
  const readOnly = useReadOnly();
  const numbers = useNumbers();
  const number = numbers.find(({ id }) => id === item.numberId)?.name ?? texts.removedNumber;
  const dead = !works(item, Date.now());
  const cell = 'max-sm:block max-sm:h-auto! max-sm:border-0! max-sm:px-0! max-sm:leading-5';
  return (
    <tr
      className={clsx(
        'max-sm:relative max-sm:block max-sm:border-b max-sm:border-line-soft max-sm:px-4 max-sm:py-3 max-sm:last:border-0',
        dead && 'text-ink-3',
      )}
    >
      {/* On a phone, the menu's button stands to the right of the name. */}
      <td className={clsx(cell, 'max-sm:pr-10! max-sm:whitespace-normal!')}>
        <span className={clsx('font-medium', dead && 'line-through')}>{item.name}</span>
        <span className="hidden text-12 text-ink-3 max-sm:block">
          {item.lastUsedAt ? (
            <>
              {texts.usedAgo(number)} <Time at={item.lastUsedAt} ago />
            </>
          ) : (
            texts.notUsed(number)
          )}
        </span>
      </td>
      <td className={clsx(cell, 'font-mono text-[0.94em] tracking-[-0.02em] text-ink-2')}>{item.hint}</td>
      <td className="max-sm:hidden">
        {item.numberRemoved ? (
          <span className="text-ink-3">{number}</span>
        ) : (
          <Link href={`/numbers/${item.numberId}`} className="hover:underline">
            {number}
          </Link>
        )}
      </td>
      <td className="text-ink-2 max-sm:hidden">
        {item.lastUsedAt ? <Time at={item.lastUsedAt} ago /> : texts.notYet}
      </td>
      <td className={clsx(cell, 'text-ink-2')}>
        <span className="mr-1 hidden text-ink-3 max-sm:inline">{texts.expires}:</span>
        <Expiry item={item} />
      </td>
      <td className="text-right max-sm:absolute max-sm:top-2.5 max-sm:right-2 max-sm:border-0! max-sm:p-0!">
        <Menu
          trigger={
            <Button variant="ghost" size="small" icon aria-label={common.actions(item.name)}>
              <MoreHorizontal />
            </Button>
          }
        >
          <MenuItem onSelect={() => router.push(`/messages?key=${item.id}`)}>
            <MessageSquareText />
            {texts.messages}
          </MenuItem>
          {!dead && !item.numberRemoved && (
            <MenuItem disabled={readOnly} onSelect={onRotate}>
              <RefreshCw />
              {texts.rotate}
            </MenuItem>
          )}
          {!item.revokedAt && (
            <MenuItem danger disabled={readOnly} onSelect={onRevoke}>
              <Trash2 />
              {texts.revoke}
            </MenuItem>
          )}
        </Menu>
      </td>
    </tr>
  );
}

const SOON_MS = 7 * 86_400_000;

function Expiry({ item }: { item: Key }) {
  if (item.revokedAt) return texts.revoked;
  if (!item.expiresAt) return texts.never;
  const left = new Date(item.expiresAt).getTime() - Date.now();
  if (left <= 0) return texts.expired;
  const time = <Time at={item.expiresAt} seconds={false} />;
  if (left > SOON_MS) return time;
  return (
    <span className="tone-warn inline-flex items-center gap-[7px] font-medium text-tone-fg">
      <StatusIcon shape="clock" />
      {time}
    </span>
  );
}

function RevokeDialog({ item, onClose }: { item: Key; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.keys.pathFilter()),
    }),
  );
  return (
    <ConfirmDialog
      onClose={onClose}
      {...keys.revokeDialog(item.name)}
      onConfirm={() => revoke.mutateAsync({ keyId: item.id })}
    />
  );
}
