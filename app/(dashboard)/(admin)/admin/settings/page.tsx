import type { Metadata } from 'next';
import { operation } from '#app/_features/admin/operation-words.ts';
import { SettingsView } from '#app/_features/admin/settings-view.tsx';
import { Page } from '#app/_features/shell/page.tsx';

export const metadata: Metadata = { title: operation.settings.title };

export default function SettingsPage() {
  return (
    <Page crumbs={[{ label: operation.settings.title }]}>
      <SettingsView />
    </Page>
  );
}
