import type { ReactNode } from 'react';
import { Logo } from '#app/_components/ui/logo.tsx';
import { common } from '#app/_components/ui/words.ts';
import { ApiProvider } from '#app/_trpc/provider.tsx';

/** Pages for visitors who are not signed in. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiProvider>
      <div className="flex min-h-dvh flex-col px-4">
        <header className="flex h-16 items-center gap-2.5 font-semibold sm:px-4">
          <Logo size={26} />
          <span className="text-16">{common.product}</span>
        </header>
        <main
          id="content"
          className="mx-auto flex w-full max-w-[380px] flex-1 flex-col pt-[max(16px,9dvh)] pb-16"
        >
          {children}
        </main>
      </div>
    </ApiProvider>
  );
}
