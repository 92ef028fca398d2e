import type { ComponentType } from 'react';
import { type Crumb, Page } from './page.tsx';

/** A route that shows one view, with its place in the dashboard. */
export function pageOf(View: ComponentType, ...crumbs: Crumb[]) {
  return function ViewPage() {
    return (
      <Page crumbs={crumbs}>
        <View />
      </Page>
    );
  };
}
