import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

const texts = numbers.groups;
/** The stream reports the answer; polling catches a lost notification. */
const LOOK_MS = 3_000;
/** From this many groups on, the list has a search field. */
const SEARCHED_FROM = 8;

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

type Group = NonNullable<Outputs['numbers']['groups']['groups']>[number];

/** The groups that a number has listed. */
function GroupList({ groups }: { groups: Group[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = groups.filter(({ name, id }) => name.toLowerCase().includes(wanted) || id.includes(wanted));
  return (
    <>
      {groups.length >= SEARCHED_FROM && (
        <div className="border-b border-line-soft p-2">
          <Input
            type="search"
            aria-label={texts.search}
            placeholder={texts.search}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      )}
      <ul className="max-h-[320px] overflow-auto [scrollbar-width:thin]">
        {found.map((group) => (
          <li
            key={group.id}
            className="flex min-h-12 items-center gap-2.5 border-line-soft px-4 py-1.5 text-13 [&+&]:border-t"
          >
            <span className="min-w-0 flex-1">
              <b className="block truncate font-medium">{group.name || texts.unnamed}</b>
              <span className="block truncate font-mono text-12 text-ink-3">{group.id}</span>
            </span>
            <span className="shrink-0 text-12 text-ink-3 tabular-nums">
              {texts.people(group.participants)}
            </span>
            <CopyButton text={group.id} label={texts.copy(group.name)} className="-mr-2" />
          </li>
        ))}
        {found.length === 0 && <li className="px-4 py-3.5 text-13 text-ink-2">{texts.notFound}</li>}
      </ul>
    </>
  );
}
