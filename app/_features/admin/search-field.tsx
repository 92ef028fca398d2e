import clsx from 'clsx';
import { Search } from 'lucide-react';

export function SearchField({
  value,
  onChange,
  label,
  placeholder,
  className,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
  placeholder: string;
  className?: string;
}) {
  return (
    <label
      className={clsx(
        className,
        'flex h-8 w-full items-center gap-2 rounded-3 border border-control bg-[light-dark(var(--raised),var(--sunken))] px-2.5 focus-within:border-focus focus-within:ring-3 focus-within:ring-[color-mix(in_oklab,var(--focus)_22%,transparent)] max-md:h-10',
      )}
    >
      <Search className="size-3.5 shrink-0 text-ink-3" />
      <input
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        className="min-w-0 flex-1 bg-transparent text-13 outline-none max-md:text-16"
      />
    </label>
  );
}
