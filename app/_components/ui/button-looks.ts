export const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-[7px] whitespace-nowrap border font-medium ' +
  'transition-[background-color,border-color] duration-[var(--fast)] ease-out ' +
  'disabled:cursor-not-allowed disabled:text-ink-off ' +
  '[&_svg:not(.status-icon)]:size-3.5 [&_svg:not(.status-icon)]:shrink-0 disabled:[&_svg]:text-current';

const OFF = ' disabled:border-line disabled:bg-sunken disabled:bg-none disabled:shadow-none';

const PRIMARY =
  'border-transparent bg-brand-solid text-on-brand shadow-[0_1px_2px_var(--sh-1-c),inset_0_1px_0_oklch(1_0_0/0.14)] hover:bg-brand-solid-hi' +
  OFF;

export const VARIANTS = {
  plain:
    'border-line-strong bg-raised text-ink shadow-card hover:bg-[linear-gradient(var(--hover),var(--hover))] [&_svg:not(.status-icon)]:text-ink-2' +
    OFF,
  primary: PRIMARY,
  ghost:
    'border-transparent bg-transparent text-ink-2 enabled:hover:bg-hover enabled:hover:text-ink [a&]:hover:bg-hover [a&]:hover:text-ink',
  danger:
    'border-fail-line bg-raised text-fail-fg shadow-card hover:bg-[linear-gradient(var(--hover),var(--hover))]' +
    OFF,
  destroy:
    'border-transparent bg-[light-dark(oklch(0.535_0.185_25),var(--fail-solid))] text-on-fail hover:brightness-95' +
    OFF,
} as const;

const MEDIUM = 'h-8 rounded-3 px-3 text-13 max-md:h-9';

export const SIZES = {
  small: 'h-7 rounded-2 px-[9px] text-12 max-md:h-8',
  medium: MEDIUM,
  large: 'h-10 rounded-3 px-4 text-14 max-md:h-11',
} as const;

export const ICON_SIZES = {
  small: 'size-7 rounded-2 max-md:size-8',
  medium: 'size-8 rounded-3 max-md:size-9',
  large: 'size-10 rounded-3 max-md:size-11',
} as const;

/** The primary button for pages that must stay small: without the other variants. */
export const PRIMARY_BUTTON = `${BASE} ${PRIMARY} ${MEDIUM}`;
