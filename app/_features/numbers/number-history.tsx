import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { NUMBER_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { duration, Time, useNow } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useInBrowser } from '#app/_components/ui/use-in-browser.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { NUMBER_NAMES, signOf } from '#server/core/number-sign.ts';
import { STATE_MEANINGS } from '#server/core/number-status-text.ts';
import { isOnlyLinked, type NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

/** The past states of a number, newest first, with their reasons. */
export function NumberHistory({ number, limit }: { number: NumberItem; limit: number }) {
  const trpc = useTRPC();
  const [whole, setWhole] = useState(false);
  const { data, error, refetch } = useQuery(trpc.numbers.history.queryOptions({ numberId: number.id }));
  return (
    <Section title={numbers.page.history}>
      <Card className="flex flex-col">
        {error && !data && <Failure error={error} retry={refetch} className="m-4" />}
        {data ? (
          <ol className="timeline p-4">
            {data.slice(0, whole ? undefined : limit).map((entry, index) => {
              const onlyLinked = index === 0 && entry.status === 'CONNECTED' && isOnlyLinked(number);
              return (
                <li key={entry.at}>
                  <StatusIcon {...NUMBER_SIGNS[onlyLinked ? signOf(number) : entry.status]} spin={false} />
                  <span>
                    <span className="font-medium">
                      {onlyLinked ? numbers.page.linked : NUMBER_NAMES[entry.status]}
                    </span>
                    <Lasted from={entry.at} to={data[index - 1]?.at} />
                  </span>
                  <Time at={entry.at} />
                  <small>{entry.reason ?? (onlyLinked ? null : STATE_MEANINGS[entry.status])}</small>
                </li>
              );
            })}
          </ol>
        ) : (
          !error && <SkeletonRows rows={3} />
        )}
        <CardFoot>
          <span className="flex flex-wrap gap-x-3">
            <TimesIn />
            <span className="pointer-coarse:hidden">{numbers.page.timesExact}</span>
            <span className="hidden pointer-coarse:inline">{numbers.page.timesExactTouch}</span>
          </span>
          {!whole && data && data.length > limit && (
            <Button variant="ghost" size="small" className="-my-1 -mr-1.5" onClick={() => setWhole(true)}>
              {numbers.page.wholeHistory}
            </Button>
          )}
        </CardFoot>
      </Card>
    </Section>
  );
}

/** How long a state lasted; the newest one is still open. */
function Lasted({ from, to }: { from: string; to: string | undefined }) {
  const now = useNow(10_000);
  const inBrowser = useInBrowser();
  if (!inBrowser) return null;
  const ms = (to ? new Date(to) : now).getTime() - new Date(from).getTime();
  if (ms < 1000) return null;
  const text = duration(ms);
  return (
    <span className="text-12 text-ink-3 tabular-nums">
      {' '}
      {to ? numbers.page.lasted(text) : numbers.page.lasts(text)}
    </span>
  );
}
