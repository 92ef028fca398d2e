'use client';

import { useQuery } from '@tanstack/react-query';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { AccountTabs } from './account-tabs.tsx';
import { RenameForm } from './rename-form.tsx';
import { Retention } from './retention.tsx';
import { TimeZoneCard } from './time-zone.tsx';
import { account } from './words.ts';
import { YourData } from './your-data.tsx';

const texts = account.settings;

/** Settings for all members: name, time zone, retention, deletion. */
export function AccountSettingsPage() {
  const me = useMe();
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.account.settings.queryOptions());
  const owner = me.account.role === 'owner';
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead(data?.name ?? me.account.name)} />
      <AccountTabs />
      <Failure error={error} retry={refetch} />
      <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-7">
          <Section title={texts.nameTitle}>
            <Card className="p-4">
              {data && <RenameForm settings={data} owner={owner} />}
              {!data && !error && <SkeletonRows rows={2} />}
            </Card>
          </Section>
          <Section title={account.timeZone.title}>
            <Card className="p-4">
              {data && <TimeZoneCard settings={data} owner={owner} />}
              {!data && !error && <SkeletonRows rows={2} />}
            </Card>
          </Section>
        </div>
        <div className="flex min-w-0 flex-col gap-7">
          <Retention />
          <YourData />
        </div>
      </div>
    </>
  );
}
