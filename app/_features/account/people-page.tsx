'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { MoreHorizontal, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { ConfirmDialog } from '#app/_components/ui/confirm.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Menu, MenuItem, MenuLine } from '#app/_components/ui/menu.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { Avatar } from '#app/_features/shell/user-menu.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { AccountTabs } from './account-tabs.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { people as texts } from './people-words.ts';

type Person = Outputs['people']['list'][number];

/** The members of the account; owners invite, change and remove them. */
export function PeoplePage() {
  const { account } = useMe();
  const trpc = useTRPC();
  const [inviting, setInviting] = useState(false);
  const { data, error, refetch } = useQuery(trpc.people.list.queryOptions());
  const owner = account.role === 'owner';
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead(account.name)}
        actions={
          owner && (
            <Button variant="primary" changes onClick={() => setInviting(true)}>
              <UserPlus />
              {texts.invite}
            </Button>
          )
        }
      />
      <AccountTabs />
      <Failure error={error} retry={refetch} />
      <Card>
        {!data && !error && <SkeletonRows rows={3} />}
        <ul>
          {data?.map((person) => (
            <PersonRow key={person.userId} person={person} canChange={owner} />
          ))}
        </ul>
      </Card>
      <p className="-mt-3 max-w-[68ch] text-13 text-ink-3">{texts.rolesHelp}</p>
      {owner && <Invitations />}
      {data && <TimesIn className="text-12 text-ink-3" />}
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function PersonRow({ person, canChange }: { person: Person; canChange: boolean }) {
  const trpc = useTRPC();
  const me = useMe();
  const { done, failed, refresh } = useFeedback();
  const onSuccess = (_: unknown, { userId }: { userId: string }) => {
    // A change of the user's own role affects the whole page.
    if (userId === me.userId) window.location.assign('/');
    return refresh({ queryKey: trpc.people.pathKey() });
  };
  const changeRole = useMutation(trpc.people.changeRole.mutationOptions({ onSuccess, onError: failed }));
  const remove = useMutation(trpc.people.remove.mutationOptions({ onSuccess }));
  const [removing, setRemoving] = useState(false);
  const { userId, email, role } = person;
  const other = role === 'owner' ? 'member' : 'owner';
  return (
    <li className="flex min-h-14 items-center gap-3 border-line-soft px-4 py-2.5 text-13 [&+&]:border-t">
      <Avatar email={email} size={28} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{email}</span>
          {userId === me.userId && <Tag tone="brand">{texts.you}</Tag>}
        </p>
        <p className="text-12 text-ink-3">
          {texts.since} <Time at={person.since} seconds={false} />
        </p>
      </div>
      <Tag>{texts.roles[role]}</Tag>
      {canChange && (
        <Menu
          trigger={
            <Button variant="ghost" size="small" icon changes aria-label={texts.actions(email)}>
              <MoreHorizontal />
            </Button>
          }
        >
          <MenuItem
            onSelect={() =>
              changeRole.mutate(
                { userId, role: other },
                {
                  onSuccess: () => done(texts.changed(email, texts.roles[other].toLowerCase())),
                },
              )
            }
          >
            {role === 'owner' ? texts.makeMember : texts.makeOwner}
          </MenuItem>
          <MenuLine />
          <MenuItem danger onSelect={() => setRemoving(true)}>
            {texts.remove}
          </MenuItem>
        </Menu>
      )}
      {removing && (
        <ConfirmDialog
          {...texts.removeDialog(email)}
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync({ userId })}
        />
      )}
    </li>
  );
}
