import clsx from 'clsx';
import { type ComponentProps, cloneElement, isValidElement } from 'react';
import { useReadOnly } from './read-only.ts';

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-[7px] whitespace-nowrap border font-medium ' +
  'transition-[background-color,border-color] duration-[var(--fast)] ease-out ' +
  'disabled:cursor-not-allowed disabled:text-ink-off ' +
  '[&_svg:not(.status-icon)]:size-3.5 [&_svg:not(.status-icon)]:shrink-0 disabled:[&_svg]:text-current';

const OFF = ' disabled:border-line disabled:bg-sunken disabled:bg-none disabled:shadow-none';

const PRIMARY =
  'border-transparent bg-brand-solid text-on-brand shadow-[0_1px_2px_var(--sh-1-c),inset_0_1px_0_oklch(1_0_0/0.14)] hover:bg-brand-solid-hi' +
  OFF;

const VARIANTS = {
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

const SIZES = {
  small: 'h-7 rounded-2 px-[9px] text-12 max-md:h-8',
  medium: MEDIUM,
  large: 'h-10 rounded-3 px-4 text-14 max-md:h-11',
} as const;

const ICON_SIZES = {
  small: 'size-7 rounded-2 max-md:size-8',
  medium: 'size-8 rounded-3 max-md:size-9',
  large: 'size-10 rounded-3 max-md:size-11',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Square, for a single icon; needs an `aria-label`. */
  icon?: boolean;
  /** Renders the child, such as a link, in the button's shape. */
  asChild?: boolean;
  /** In progress: it cannot be pressed again, and keeps its width and focus. */
  busy?: boolean;
  /**
   * The button changes data, or opens a form that does, so read-only views disable it. Default: true for submit
   * buttons and for buttons with `busy`.
   */
  changes?: boolean;
}

/** The label names the action. One `primary` on a page. */
export function Button({
  variant = 'plain',
  size = 'medium',
  icon = false,
  asChild = false,
  busy,
  type = 'button',
  changes = type === 'submit' || busy !== undefined,
  disabled = false,
  className,
  onClick,
  ...props
}: ButtonProps) {
  const readOnly = useReadOnly();
  const classes = clsx(
    BASE,
    VARIANTS[variant],
    icon ? ICON_SIZES[size] : SIZES[size],
    busy && 'cursor-progress opacity-75',
    className,
  );
  if (asChild && isValidElement<ComponentProps<'button'>>(props.children)) {
    const { children: child, ...rest } = props;
    return cloneElement(child, {
      ...rest,
      ...(onClick ? { onClick } : {}),
      className: clsx(classes, child.props.className),
    });
  }
  return (
    <button
      {...props}
      type={type}
      disabled={disabled || (changes && readOnly)}
      className={classes}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
