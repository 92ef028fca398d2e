import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

const GroupList = lazyPart(() => import('./group-list.tsx'), <SkeletonRows rows={1} />);
const texts = numbers.groups;
/** The stream reports the answer; polling catches a lost notification. */
const LOOK_MS = 3_000;

/** The groups that a number can send to, with the IDs for `to`. */
export function GroupsCard({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error } = useQuery(
    trpc.numbers.groups.queryOptions(
      { numberId: number.id },
      { refetchInterval: ({ state }) => (state.data?.asking ? LOOK_MS : false) },
    ),
  );
  const ask = useMutation(
    trpc.numbers.askGroups.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.numbers.groups.queryFilter()),
    }),
  );
  const connected = number.status === 'CONNECTED';
  const problem = ask.error ? sentenceOf(ask.error) : data?.error;
  return (
    <Section
      title={texts.title}
      aside={
        <Button
          size="small"
          disabled={!connected}
          busy={ask.isPending || data?.asking === true}
          onClick={() => ask.mutate({ numberId: number.id })}
        >
          <RotateCw />
          {data?.groups ? texts.again : texts.ask}
        </Button>
      }
    >
      <Card className="flex flex-col">
        {problem && (
          <div className="p-4 pb-0">
            <Note tone="fail">{problem}</Note>
          </div>
        )}
        {!data && !error ? (
          <SkeletonRows rows={1} />
        ) : data?.groups && data.groups.length > 0 ? (
          <GroupList groups={data.groups} />
        ) : (
          <p role="status" className="px-4 py-3.5 text-13 text-ink-2">
            {data?.asking ? texts.asking : data?.groups ? texts.none : connected ? texts.how : texts.offline}
          </p>
        )}
        {data?.listedAt && (
          <CardFoot>
            <span>
              {texts.listed} <Time at={data.listedAt} ago />
            </span>
          </CardFoot>
        )}
      </Card>
    </Section>
  );
}
