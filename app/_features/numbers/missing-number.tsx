'use client';

import { Smartphone } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Empty } from '#app/_components/ui/card.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Page } from '#app/_features/shell/page.tsx';
import { numbers } from './words.ts';

/** Removed, another account's, or never there: the answer is the same. */
export default function MissingNumber() {
  return (
    <Page crumbs={[{ label: numbers.title, href: '/numbers' }]}>
      <Card>
        <Empty
          icon={<Smartphone />}
          title={numbers.page.notFound}
          action={
            <Button asChild>
              <Link href="/numbers">{numbers.title}</Link>
            </Button>
          }
        />
      </Card>
    </Page>
  );
}
