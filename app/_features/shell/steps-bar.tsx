import { useEffect, useState } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { shell } from './words.ts';

const KEY = 'wirebird.step';

/** The user opened a step of the overview: pages lead back until the overview is shown again. */
export function startStep(): void {
  sessionStorage.setItem(KEY, 'on');
}

/** On the page of a step: the way back to the list. */
export function StepsBar() {
  const [on, setOn] = useState(false);
  useEffect(() => {
    if (window.location.pathname === '/') sessionStorage.removeItem(KEY);
    else setOn(sessionStorage.getItem(KEY) !== null);
  }, []);
  return on ? (
    <Link href="/" className="self-start text-12 font-medium text-brand-fg hover:underline">
      {shell.backToSteps}
    </Link>
  ) : null;
}
