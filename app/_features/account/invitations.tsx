import { useMutation, useQuery } from '@tanstack/react-query';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { people as texts } from './people-words.ts';

/** Pending invitations. */
export function Invitations() {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const { data, error, refetch } = useQuery(trpc.people.invitations.queryOptions());
  const withdraw = useMutation(
    trpc.people.withdraw.mutationOptions({
      onSuccess: () => done(texts.withdrawn),
      onError: failed,
      onSettled: () => refresh({ queryKey: trpc.people.invitations.queryKey() }),
    }),
  );
  return (
    <Section title={texts.invitations}>
      <Failure error={error} retry={refetch} />
      <Card>
        {!data && !error && <SkeletonRows rows={1} />}
        {data?.length === 0 && <p className="px-4 py-3.5 text-13 text-ink-2">{texts.noInvitations}</p>}
        <ul>
          {data?.map((invitation) => (
            <li
              key={invitation.invitationId}
              className="flex min-h-14 items-center gap-3 border-line-soft px-4 py-2.5 text-13 [&+&]:border-t"
            >
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{invitation.note || texts.unnamed}</p>
                <p className="text-12 text-ink-3">
                  {texts.until} <Time at={invitation.expiresAt} seconds={false} />
                </p>
              </div>
              <Tag>{texts.roles[invitation.role]}</Tag>
              <Button
                size="small"
                busy={withdraw.isPending}
                onClick={() => withdraw.mutate({ invitationId: invitation.invitationId })}
              >
                {texts.withdraw}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  );
}
