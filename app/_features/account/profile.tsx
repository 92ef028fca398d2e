'use client';

import { Card, Section } from '#app/_components/ui/card.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { Avatar } from '#app/_features/shell/user-menu.tsx';
import { account } from './words.ts';

const texts = account.profile;

export function Profile() {
  const me = useMe();
  return (
    <Section title={texts.title}>
      <Card>
        <div className="flex items-center gap-3 border-b border-line-soft p-4">
          <Avatar email={me.email} size={40} />
          <div className="min-w-0">
            <b className="block truncate font-medium">{me.email}</b>
            {me.admin && <span className="block text-12 text-ink-3">{texts.administrator}</span>}
          </div>
        </div>
        <DescriptionList
          rows={[
            [texts.account, me.account.name],
            [texts.role, texts.roles[me.account.role]],
          ]}
        />
        <p className="border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">{texts.emailHelp}</p>
      </Card>
    </Section>
  );
}
