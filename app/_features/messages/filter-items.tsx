import { useQuery } from '@tanstack/react-query';
import { Check, KeyRound, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { MenuItem, MenuLabel, MenuLine } from '#app/_components/ui/menu.tsx';
import { MESSAGE_NAMES } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS, NumberGlyph } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { KIND_ICONS } from '#app/_features/kinds/kind-icon.tsx';
import { KIND_OPTIONS } from '#app/_features/kinds/kind-labels.ts';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { signOf } from '#server/core/number-sign.ts';
import { MESSAGE_ERROR_CODES } from '#server/core/outcomes.ts';
import type { Filters } from './filters.ts';
import { messages as texts } from './words.ts';

/** The filters with a menu of values. */
export type ListFilter = 'status' | 'numberId' | 'keyId' | 'type' | 'errorCode';
type Item = [value: string, label: string, icon?: ReactNode];

const STATES = MESSAGE_STATUSES.map(
  (status): Item => [status, MESSAGE_NAMES[status], <StatusIcon key={status} {...MESSAGE_SIGNS[status]} />],
);
const KINDS = KIND_OPTIONS.map(({ value, label }): Item => {
  const Icon = KIND_ICONS[value];
  return [value, label, <Icon key={value} />];
});
const FIXED: Partial<Record<ListFilter, readonly Item[]>> = {
  status: STATES,
  type: KINDS,
  errorCode: MESSAGE_ERROR_CODES.map((code): Item => [code, code]),
};

/** The values of a filter, as items of its menu. */
export function FilterItems({
  of,
  filters,
  change,
}: {
  of: ListFilter;
  filters: Filters;
  change: (change: { [Name in keyof Filters]?: Filters[Name] | undefined }) => void;
}) {
  const chosen = filters[of];
  // The values are those of the filter's own list, or ids from the server.
  const choose = (value: string | undefined) => change({ [of]: value });
  return (
    <>
      {chosen !== undefined && (
        <>
          <MenuItem onSelect={() => choose(undefined)}>
            <X />
            {texts.filters.any}
          </MenuItem>
          <MenuLine />
        </>
      )}
      {of === 'numberId' && <Numbers chosen={chosen} onChoose={choose} />}
      {of === 'keyId' && <Keys chosen={chosen} onChoose={choose} />}
      {FIXED[of] && <Items items={FIXED[of]} chosen={chosen} onChoose={choose} />}
    </>
  );
}

interface Choice {
  chosen: string | undefined;
  onChoose: (value: string) => void;
}

function Numbers(choice: Choice) {
  const items = useNumbers().map(
    (one): Item => [one.id, one.name, <NumberGlyph key={one.id} sign={signOf(one)} />],
  );
  return <Items items={items} {...choice} />;
}

function Keys(choice: Choice) {
  const trpc = useTRPC();
  const { data: keys } = useQuery(trpc.keys.list.queryOptions());
  const items = (keys ?? []).map((key): Item => [key.id, key.name || key.hint, <KeyRound key={key.id} />]);
  return keys?.length === 0 ? (
    <MenuLabel>{texts.filters.noKey}</MenuLabel>
  ) : (
    <Items items={items} {...choice} />
  );
}

function Items({ items, chosen, onChoose }: { items: readonly Item[] } & Choice) {
  return items.map(([value, label, icon]) => (
    <MenuItem key={value} onSelect={() => onChoose(value)}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {chosen === value && <Check />}
    </MenuItem>
  ));
}
