import { useSearchParams } from 'next/navigation';
import { useRef } from 'react';
import { changeAddress } from './change-address.ts';

/** The ID that a list's dialog shows, kept in the address: it can be linked, and Back closes the dialog. */
export function useOpened(
  name: string,
): [opened: string | null, open: (id: string) => void, close: () => void] {
  const opened = useSearchParams().get(name);
  // The entry before is then the list. After a link it is another page.
  const openedHere = useRef(false);
  const show = (id: string | null) => {
    const query = new URLSearchParams(window.location.search);
    if (id === null) query.delete(name);
    else query.set(name, id);
    changeAddress(query.size > 0 ? `?${query}` : window.location.pathname, id === null);
  };
  const open = (id: string) => {
    openedHere.current = true;
    show(id);
  };
  const close = () => {
    if (openedHere.current) history.back();
    else show(null);
    openedHere.current = false;
  };
  return [opened, open, close];
}
