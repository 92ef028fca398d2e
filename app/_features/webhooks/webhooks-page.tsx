'use client';

import { useQuery } from '@tanstack/react-query';
import { BookOpen, Eye, Plus, Webhook } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { LanguageTabs } from '#app/_components/ui/language-tabs.tsx';
import Link from '#app/_components/ui/link.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { Tooltip } from '#app/_components/ui/tooltip.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { type Endpoint, EndpointState, eventsOf, nameOf } from './endpoint-state.tsx';
import { InspectForm } from './inspect-form.tsx';
import { NumberName } from './number-name.tsx';
import { RECEIVERS, type ReceiverLanguage } from './receiver-samples.ts';
import { webhooks } from './words.ts';

const texts = webhooks.list;
/** Polled: deliveries change endpoints without a notification. */
const LOOK_MS = 5_000;

export function WebhooksPage() {
  const trpc = useTRPC();
  const router = useRouter();
  const numbers = useNumbers();
  const { data, error, refetch } = useQuery(
    trpc.webhooks.list.queryOptions(undefined, { refetchInterval: LOOK_MS }),
  );
  const [asking, setAsking] = useState<'endpoint' | 'inspect' | null>(null);
  const close = () => setAsking(null);
  const open = (endpointId: string) => router.push(`/webhooks/${endpointId}`);
  const inspectable = numbers.some(({ network }) => network === 'sandbox');
  const inspect = inspectable && (
    <Button changes onClick={() => setAsking('inspect')}>
      <Eye />
      {webhooks.inspect}
    </Button>
  );
  const create = (
    <Button variant="primary" changes onClick={() => setAsking('endpoint')}>
      <Plus />
      {webhooks.create}
    </Button>
  );
  return (
    <>
      <PageHead
        title={webhooks.title}
        lead={webhooks.lead}
        actions={
          <>
            <ButtonLink href="/docs/guides/webhooks">
              <BookOpen />
              {webhooks.guide}
            </ButtonLink>
            {data && data.length > 0 && (
              <>
                {inspect}
                {create}
              </>
            )}
          </>
        }
      />
      <Section title={texts.title}>
        <Failure error={error} retry={refetch} />
        {(data || !error) && (
          <Card>
            {!data && <SkeletonRows rows={3} />}
            {data?.length === 0 && (
              <Empty
                icon={<Webhook />}
                {...texts.empty}
                action={
                  <span className="flex flex-wrap justify-center gap-2">
                    {inspect}
                    {create}
                  </span>
                }
              />
            )}
            {data && data.length > 0 && <EndpointTable endpoints={data} />}
          </Card>
        )}
      </Section>
      <Receivers />
      {asking === 'endpoint' && <EndpointForm onClose={close} onMade={open} />}
      {asking === 'inspect' && <InspectForm onClose={close} onMade={open} />}
    </>
  );
}

function EndpointTable({ endpoints }: { endpoints: Endpoint[] }) {
  return (
    <>
      <table className="table max-md:hidden">
        <TableHead
          columns={[
            { title: texts.endpoint, width: '34%' },
            { title: texts.number, width: '16%' },
            { title: texts.state, width: '19%' },
            { title: texts.success, width: '15%' },
            {
              title: (
                <Tooltip text={texts.failuresHelp}>
                  <span>{texts.failures}</span>
                </Tooltip>
              ),
              width: '16%',
              right: true,
            },
          ]}
        />
        <tbody>
          {endpoints.map((endpoint) => (
            <tr key={endpoint.id}>
              <td className="py-2!">
                <Link
                  href={`/webhooks/${endpoint.id}`}
                  className="block truncate font-medium hover:underline"
                >
                  {nameOf(endpoint)}
                </Link>
                <span className="block truncate text-12 text-ink-3">{eventsOf(endpoint)}</span>
              </td>
              <td className="truncate text-ink-2">
                <NumberName numberId={endpoint.numberId} />
              </td>
              <td>
                <EndpointState endpoint={endpoint} />
              </td>
              <td className="text-ink-2">
                {endpoint.lastSuccessAt ? <Time at={endpoint.lastSuccessAt} ago /> : texts.none}
              </td>
              <td className="text-right text-ink-2 tabular-nums">
                {webhooks.page.rate(endpoint.failed, endpoint.requests)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className="md:hidden">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id} className="border-line-soft [&+&]:border-t">
            <Link href={`/webhooks/${endpoint.id}`} className="flex flex-col gap-1 px-4 py-3 text-13">
              <span className="truncate font-medium">{nameOf(endpoint)}</span>
              <span className="flex items-center justify-between gap-2">
                <span className="truncate text-ink-2">
                  <NumberName numberId={endpoint.numberId} />
                </span>
                <EndpointState endpoint={endpoint} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const { receiver } = webhooks;
const LANGUAGES = Object.keys(RECEIVERS) as [ReceiverLanguage, ...ReceiverLanguage[]];

/** A server that receives events, in each language. */
function Receivers() {
  return (
    <Section title={receiver.title}>
      <p className="-mt-2 max-w-[72ch] text-13 text-ink-2">{receiver.text}</p>
      <LanguageTabs
        languages={LANGUAGES}
        remember="wirebird.language"
        codeIn={(language) => RECEIVERS[language].trimEnd()}
        texts={receiver}
      />
    </Section>
  );
}
