import clsx from 'clsx';
import { type ComponentProps, cloneElement, isValidElement } from 'react';
import { BASE, ICON_SIZES, SIZES, VARIANTS } from './button-looks.ts';
import { useReadOnly } from './read-only.ts';

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
