import { useReadOnly } from './read-only.ts';

/** `label` is for screen readers, which do not see the text beside it. */
export function Switch({
  checked,
  onChange,
  label,
  disabled = false,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  disabled?: boolean;
}) {
  const readOnly = useReadOnly();
  return (
    <span className="relative h-4 w-7 shrink-0">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-label={label}
        disabled={disabled || readOnly}
        className="peer block h-4 w-7 appearance-none rounded-full bg-control transition-colors duration-[var(--fast)] before:absolute before:-inset-3 checked:bg-brand-solid disabled:cursor-not-allowed disabled:opacity-50"
      />
      <span className="pointer-events-none absolute top-0.5 left-0.5 size-3 rounded-full bg-[light-dark(#fff,var(--ink))] transition-transform duration-[var(--fast)] peer-checked:translate-x-3 peer-checked:bg-on-brand" />
    </span>
  );
}
