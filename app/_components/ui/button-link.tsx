'use client';

import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import Link from './link.tsx';

/** A link that looks like a button. */
export function ButtonLink({
  href,
  children,
  ...look
}: Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className' | 'children' | 'onClick'> & {
  href: string;
}) {
  return (
    <Button {...look} asChild>
      <Link href={href}>{children}</Link>
    </Button>
  );
}
