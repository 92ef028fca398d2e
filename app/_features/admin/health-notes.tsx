import type { ReactNode } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { duration, Time } from '#app/_components/ui/time.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { NUMBER_NAMES } from '#server/core/number-sign.ts';
import { operation } from './operation-words.ts';

const texts = operation.health;
type Health = Outputs['admin']['health'];

/** What somebody should know or do, most urgent first. Renders nothing if there is nothing. */
export function HealthNotes({ health }: { health: Health }) {
  const { troubles, restored, away, needPerson, undecided, unclear, stopped } = health;
  const counts = [troubles.length, restored.length, needPerson];
  const messages = [undecided, unclear, stopped].map((of) => of.messages);
  if ([...counts, ...messages].every((count) => count === 0)) return null;
  return (
    <div className="flex flex-col gap-3">
      {troubles.map(({ kind, count }) => (
        <Note
          key={kind}
          tone={kind === 'no_worker' ? 'fail' : 'warn'}
          title={texts.troubles[kind].title(count)}
        >
          {texts.troubles[kind].text}
          {kind === 'search_waits' && <Writers writers={health.searchWaitsFor} />}
        </Note>
      ))}
      {restored.map(({ title, what, steps }) => (
        <Note key={what[0]} tone="warn" title={title}>
          <p>{what.join(' ')}</p>
          <p className="mt-1.5 font-medium text-ink">{texts.steps}</p>
          <ol className="list-decimal pl-5">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Note>
      ))}
      {needPerson > 0 && (
        <Note tone="warn" title={texts.away(needPerson)}>
          <ul>
            {away.map((row) => (
              <OwnedNumber key={row.numberId} number={row}>
                {NUMBER_NAMES[row.status]}
              </OwnedNumber>
            ))}
            {needPerson > away.length && <li>{texts.more(needPerson - away.length)}</li>}
          </ul>
        </Note>
      )}
      <Messages of={undecided} title={texts.undecided} text={texts.undecidedText} />
      <Messages of={unclear} title={texts.unclear} text={texts.unclearText} />
      <Messages
        of={stopped}
        title={texts.stopped}
        text={
          <>
            {texts.stoppedText} {texts.lastAt} {stopped.lastAt && <Time at={stopped.lastAt} />}
          </>
        }
      />
    </div>
  );
}

/** The database sessions that the index of the search waits for. */
function Writers({ writers }: { writers: Health['searchWaitsFor'] }) {
  return (
    <ul>
      {writers.map(({ openSeconds, ...writer }) => (
        <li key={writer.pid}>
          {texts.writer(writer, openSeconds === null ? null : duration(openSeconds * 1000))}
        </li>
      ))}
    </ul>
  );
}

/** Messages that need a person or an explanation, and some of their numbers. */
function Messages({
  of,
  title,
  text,
}: {
  of: Health['undecided'];
  title: (count: number) => string;
  text: ReactNode;
}) {
  if (of.messages === 0) return null;
  const others = of.messages - of.numbers.reduce((sum, { messages }) => sum + messages, 0);
  return (
    <Note tone="warn" title={title(of.messages)}>
      <p>{text}</p>
      <ul>
        {of.numbers.map((row) => (
          <OwnedNumber key={row.numberId} number={row}>
            {texts.waitingOn(row.messages)}
          </OwnedNumber>
        ))}
        {others > 0 && <li>{texts.onOthers(others)}</li>}
      </ul>
    </Note>
  );
}

function OwnedNumber({
  number,
  children,
}: {
  number: Health['away'][number] | Health['undecided']['numbers'][number];
  children: ReactNode;
}) {
  return (
    <li>
      {number.name},{' '}
      <Link href={`/admin/accounts/${number.accountId}`} className="text-brand-fg hover:underline">
        {number.accountName}
      </Link>
      : {children}
    </li>
  );
}
