import clsx from 'clsx';
import { type ComponentProps, cloneElement, isValidElement } from 'react';

import { BASE, ICON_SIZES, SIZES, VARIANTS } from './button-looks.ts';

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Square, for a single icon; needs an `aria-label`. */
  icon?: boolean;
  /** Renders the child (a link, say) in the button's shape. */
  asChild?: boolean;
  /** Under way: cannot be pressed again, keeps its width and its focus. */
  busy?: boolean;
}

/** The word on it names the deed. One `primary` on a page. */
export function Button({
  variant = 'plain',
  size = 'medium',
  icon = false,
  asChild = false,
  busy = false,
  className,
  type = 'button',
  onClick,
  ...props
}: ButtonProps) {
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
      className={classes}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
