'use client';

import { FlaskConical } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Empty } from '#app/_components/ui/card.tsx';
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
        <Empty
          icon={<FlaskConical />}
          title={texts.none.title}
          action={
            <ButtonLink variant="primary" href="/numbers/new">
              {texts.none.do}
            </ButtonLink>
          }
        >
          {texts.none.text}
        </Empty>
      </Card>
    </Page>
  );
}
