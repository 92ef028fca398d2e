import { operation } from '#app/_features/admin/operation-words.ts';
import { SettingsView } from '#app/_features/admin/settings-view.tsx';
import { pageOf } from '#app/_features/shell/page-of.tsx';

export const metadata = { title: operation.settings.title };

export default pageOf(SettingsView, { label: operation.settings.title });
