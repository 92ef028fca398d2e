import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { ChipButton } from '#app/_components/ui/chip-button.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { Popover } from '#app/_components/ui/popover.tsx';
import type { ViewList } from '#server/core/saved-views.ts';
import { VIEW } from './view-param.ts';
import { views } from './words.ts';

const ViewsPanel = lazyPart(() => import('./views-panel.tsx'));
/** The saved views of a list: opens, saves and deletes them. */
export function ViewsChip({ list }: { list: ViewList }) {
  const params = useSearchParams();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={views.title}
      className="w-[264px] p-1"
      trigger={<ChipButton label={views.title} value={params.get(VIEW) ?? undefined} />}
    >
      <ViewsPanel list={list} params={params} onClose={() => setOpen(false)} />
    </Popover>
  );
}
