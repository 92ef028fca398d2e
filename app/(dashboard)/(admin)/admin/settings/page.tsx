import type { Metadata } from 'next';
import { SettingsView } from '#app/_components/admin/settings-view.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { operation } from '#app/_texts/operation.ts';

export const metadata: Metadata = { title: operation.settings.title };

export default function SettingsPage() {
  return (
    <Page crumbs={[{ label: operation.settings.title }]}>
      <SettingsView />
    </Page>
  );
}
