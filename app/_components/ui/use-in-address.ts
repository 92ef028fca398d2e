import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { changeAddress } from './change-address.ts';

/** Texts kept in the address, unless they are as at first: they survive a reload, and the way back to the page. */
export function useInAddress<Names extends string>(
  initial: Record<Names, string>,
): [Record<Names, string>, (changed: { [Name in Names]?: string }) => void] {
  const params = useSearchParams();
  const names = Object.keys(initial) as Names[];
  const [values, setValues] = useState(
    () =>
      Object.fromEntries(names.map((name) => [name, params.get(name) ?? initial[name]])) as typeof initial,
  );
  const change = (changed: { [Name in Names]?: string }) => {
    const next = { ...values, ...changed };
    setValues(next);
    const query = new URLSearchParams(window.location.search);
    for (const name of names) {
      if (next[name] === initial[name]) query.delete(name);
      else query.set(name, next[name]);
    }
    changeAddress(query.size > 0 ? `?${query}` : window.location.pathname, true);
  };
  return [values, change];
}
