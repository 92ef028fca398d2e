import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';

/** A missing or failed page: what happened, and where to continue. */
export function Problem({
  title,
  text,
  code,
  action,
}: {
  title: string;
  text: string;
  code?: string;
  action: ReactNode;
}) {
  return (
    <main
      id="content"
      className="flex min-h-[80dvh] flex-col items-center justify-center gap-1.5 px-6 text-center"
    >
      <span className="mb-3 grid size-14 place-items-center rounded-5 border border-line bg-sunken">
        <Logo size={30} />
      </span>
      <h1 className="text-24 tracking-[-0.028em]">{title}</h1>
      <p className="max-w-[46ch] text-ink-2">{text}</p>
      {code && <p className="text-12 text-ink-3">{code}</p>}
      <div className="mt-4">{action}</div>
    </main>
  );
}
