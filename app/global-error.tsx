'use client';

import PageError from '#app/_components/ui/page-error.tsx';
import './globals.css';

/** The last resort: the frame itself could not be rendered, so this brings its own. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <PageError {...props} />
      </body>
    </html>
  );
}
