import { useQuery } from '@tanstack/react-query';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Card, CardHead } from '#app/_components/ui/card.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MESSAGE_SIGNS, NUMBER_SIGNS } from '#app/_components/ui/states.tsx';
import type { Tone } from '#app/_components/ui/status-icon.tsx';
import { curlCommand } from '#app/_features/keys/curl-command.ts';
import { KIND_LABELS } from '#app/_features/kinds/kind-labels.ts';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { LiveSign } from '#app/_features/shell/page.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { NUMBER_NAMES } from '#server/core/number-sign.ts';
import { toOf } from '#server/core/recipient.ts';
import { sandbox } from './words.ts';

const texts = sandbox.log;
const LINES = 22;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

interface Line {
  key: string;
  at: number;
  tag: string;
  tone: Tone;
  text: string;
  href?: string;
}

/** The same events in the product: states of the number, outcomes of its messages. */
export function Underneath({ number }: { number: NumberItem }) {
  const lines = useLines(number);
  return (
    <Card className="flex min-w-0 flex-col max-md:order-3">
      <CardHead title={texts.title}>
        <LiveSign />
      </CardHead>
      <ul className="flex-1 py-2 text-12">
        {lines.length === 0 && <li className="px-4 py-1.5 text-ink-3">{texts.empty}</li>}
        {lines.map((line) => (
          <li key={line.key} className="flex items-center gap-2 px-4 py-[5px]">
            <time className="font-mono text-11 tracking-[-0.02em] text-ink-3">{clock.format(line.at)}</time>
            <Tag mono tone={line.tone} className="min-w-[60px] justify-center">
              {line.tag}
            </Tag>
            {line.href ? (
              <Link href={line.href} className="min-w-0 flex-1 truncate hover:underline">
                {line.text}
              </Link>
            ) : (
              <span className="min-w-0 flex-1 truncate">{line.text}</span>
            )}
          </li>
        ))}
      </ul>
      <LastRequest number={number} />
    </Card>
  );
}

function useLines(number: NumberItem): Line[] {
  const trpc = useTRPC();
  const { data: list } = useQuery(trpc.messages.list.queryOptions({ numberId: number.id }));
  const { data: history } = useQuery(trpc.numbers.history.queryOptions({ numberId: number.id }));
  const ofMessages = (list?.rows ?? []).slice(0, LINES).map((row): Line => {
    const at = new Date(row.settledAt ?? row.sentAt ?? row.createdAt).getTime();
    return {
      key: row.id,
      at,
      tag: row.status,
      tone: MESSAGE_SIGNS[row.status].tone,
      text: `${KIND_LABELS[row.type]}: ${texts.words[row.status]}`,
      href: `/messages/${row.id}`,
    };
  });
  const ofStates = (history ?? []).slice(0, LINES).map(
    (entry): Line => ({
      key: `state-${entry.at}`,
      at: new Date(entry.at).getTime(),
      tag: 'state',
      tone: NUMBER_SIGNS[entry.status].tone,
      text: NUMBER_NAMES[entry.status],
    }),
  );
  return [...ofMessages, ...ofStates].sort((a, b) => b.at - a.at).slice(0, LINES);
}

function LastRequest({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const me = useMe();
  const { data: list } = useQuery(trpc.messages.list.queryOptions({ numberId: number.id }));
  const messageId = list?.rows[0]?.id;
  const { data } = useQuery(
    trpc.messages.get.queryOptions({ messageId: messageId ?? '' }, { enabled: messageId !== undefined }),
  );
  if (!data?.content) return null;
  const { type, ...fields } = data.content;
  const body = { to: toOf(data.to), ...fields };
  const curl = curlCommand({ base: `${me.publicUrl}/v1`, kind: type, request: body });
  return (
    <div className="rounded-b-[9px] border-t border-line-soft bg-sunken pt-3 pb-1">
      <div className="flex items-center justify-between pr-2 pl-4">
        <h3>{texts.lastRequest}</h3>
        <CopyButton text={curl} label={texts.copyCurl} variant="ghost">
          {texts.copyCurl}
        </CopyButton>
      </div>
      <div className="[&_pre]:max-h-56 [&_pre]:overflow-y-auto [&_pre]:py-1.5 [&_pre]:text-12">
        <Code text={`POST /v1/messages/${type}\n${JSON.stringify(body, null, 2)}`} />
      </div>
    </div>
  );
}
