import { Smartphone } from 'lucide-react';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Page } from '#app/_features/shell/page.tsx';
import { numbers } from './words.ts';

/** The same for a removed number, another account's number and one that never existed. */
export function MissingNumber() {
  return (
    <Page crumbs={[{ label: numbers.title, href: '/numbers' }]}>
      <Card>
        <Empty
          icon={<Smartphone />}
          title={numbers.page.notFound}
          action={<ButtonLink href="/numbers">{numbers.title}</ButtonLink>}
        />
      </Card>
    </Page>
  );
}
