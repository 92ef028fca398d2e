'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

type Props = Omit<ComponentProps<typeof NextLink>, 'prefetch'> & {
  /** `false`: not even on the way of a pointer, for one of many in a list. */
  prefetch?: false;
};

/** A link whose page is fetched ahead once a pointer or the focus comes near, so that a page loads its own code alone. */
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
