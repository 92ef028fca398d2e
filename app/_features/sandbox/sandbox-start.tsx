'use client';

import { FlaskConical } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { Card } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Page, PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { sandbox as texts } from './words.ts';

/** Shown while there is no virtual phone. The page may have been prefetched before there was one. */
export function SandboxStart() {
  const router = useRouter();
  const phone = useNumbers().find(({ network }) => network === 'sandbox');
  useEffect(() => {
    if (phone) router.replace(`/sandbox/${phone.id}`);
  }, [phone, router]);
  return (
    <Page width="wide" crumbs={[{ label: texts.title }]}>
      <PageHead title={texts.title} lead={texts.lead} />
      <Card>
        <Empty icon={<FlaskConical />} {...texts.none} href="/numbers/new" />
      </Card>
    </Page>
  );
}
