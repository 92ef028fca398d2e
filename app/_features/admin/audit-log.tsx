'use client';

import clsx from 'clsx';
import { X } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { useInAddress } from '#app/_components/ui/use-in-address.ts';
import { useSettled } from '#app/_components/ui/use-settled.ts';
import { parseDays, timesOf } from '#app/_features/messages/days.ts';
import { AuditEntries } from './audit-entries.tsx';
import { audit } from './audit-words.ts';
import { SearchField } from './search-field.tsx';

const texts = audit.filters;
const ANY = 'any';
const NOTHING = { actor: '', account: '', action: ANY, day: '' };

/** The log of the installation, filtered by user, account, action and day. */
export function AuditLog() {
  const [filter, change] = useInAddress(NOTHING);
  const actor = useSettled(filter.actor.trim());
  const account = useSettled(filter.account.trim());
  const day = parseDays(`${filter.day}..${filter.day}`);
  const chosen = {
    ...(actor === '' ? {} : { actor }),
    ...(account === '' ? {} : { account }),
    ...(filter.action === ANY ? {} : { action: filter.action }),
    ...(day && timesOf(day)),
  };
  const narrowed = Object.keys(chosen).length > 0;
  return (
    <div className="flex flex-col gap-3">
      <search
        aria-label={texts.label}
        className={clsx(
          'grid grid-cols-1 gap-2 sm:grid-cols-2',
          narrowed
            ? 'lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_160px_auto]'
            : 'lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_160px]',
        )}
      >
        <SearchField
          value={filter.actor}
          onChange={(value) => change({ actor: value })}
          label={texts.actor}
          placeholder={texts.actorHelp}
        />
        <SearchField
          value={filter.account}
          onChange={(value) => change({ account: value })}
          label={texts.account}
          placeholder={texts.accountHelp}
        />
        <Select
          aria-label={texts.action}
          value={filter.action}
          onChange={(action) => change({ action })}
          options={[
            { value: ANY, label: texts.anyAction },
            ...Object.entries(texts.kinds).map(([value, label]) => ({ value, label })),
            ...Object.entries(audit.actions).map(([value, label]) => ({ value, label })),
          ]}
        />
        <Input
          type="date"
          aria-label={texts.day}
          value={filter.day}
          onChange={(event) => change({ day: event.target.value })}
        />
        {narrowed && (
          <Button variant="ghost" onClick={() => change(NOTHING)} className="max-lg:justify-self-start">
            <X />
            {texts.clear}
          </Button>
        )}
      </search>
      <AuditEntries filter={chosen} narrowed={narrowed} />
    </div>
  );
}
