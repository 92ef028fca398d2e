'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

type Props = Omit<ComponentProps<typeof NextLink>, 'prefetch'> & {
  /** `false`: do not prefetch on hover either, for one of many links in a list. */
  prefetch?: false;
};

/** A link that prefetches its page only when the pointer or the focus approaches. */
export default function Link({ prefetch, onPointerEnter, onFocus, ...props }: Props) {
  const [near, setNear] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={prefetch ?? near}
      onPointerEnter={(event) => {
        setNear(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setNear(true);
        onFocus?.(event);
      }}
    />
  );
}
