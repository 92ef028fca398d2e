import { MoreHorizontal, Pencil, Replace, Trash2, Unlink } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '#app/_components/ui/menu.tsx';
import { common } from '#app/_components/ui/words.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { type NumberAction, NumberDialogs } from './number-dialogs.tsx';
import type { NumberItem } from './number-sentence.ts';
import { numbers as texts } from './words.ts';

/** Rename, unlink and remove a number; the last two explain their effect first. */
export function NumberMenu({ number }: { number: NumberItem }) {
  const me = useMe();
  const [open, setOpen] = useState<NumberAction | null>(null);
  const linked = number.status !== 'UNLINKED' && number.status !== 'LOGGED_OUT';
  return (
    <>
      <Menu
        trigger={
          <Button
            icon
            changes
            data-slim
            aria-label={common.actions(number.name)}
            className="max-sm:flex-none!"
          >
            <MoreHorizontal />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen('rename')}>
          <Pencil />
          {texts.page.rename}
        </MenuItem>
        {number.phoneNumber !== null && number.status !== 'SUSPENDED' && (
          <MenuItem onSelect={() => setOpen('replace')}>
            <Replace />
            {texts.page.replace}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem danger disabled={!linked} onSelect={() => setOpen('unlink')}>
          <Unlink />
          {texts.page.unlink}
        </MenuItem>
        {me.account.role === 'owner' && (
          <MenuItem danger onSelect={() => setOpen('remove')}>
            <Trash2 />
            {texts.page.remove}
          </MenuItem>
        )}
      </Menu>
      {open && <NumberDialogs number={number} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}
