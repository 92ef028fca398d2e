import { Check } from 'lucide-react';
import type { ComponentProps } from 'react';

/** The box of a check box. It needs a label. */
export function Tick({
  onChange,
  ...props
}: Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (checked: boolean) => void }) {
  return (
    <span className="relative grid size-4 shrink-0 place-items-center">
      <input
        {...props}
        type="checkbox"
        onChange={(event) => onChange(event.target.checked)}
        className="peer col-start-1 row-start-1 size-4 appearance-none rounded-1 border border-control bg-raised disabled:border-line-strong disabled:bg-sunken checked:border-transparent checked:bg-brand-solid"
      />
      <Check className="pointer-events-none col-start-1 row-start-1 hidden size-3 stroke-[2.5] text-on-brand peer-checked:block" />
    </span>
  );
}
