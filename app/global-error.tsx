'use client';

import PageError from './error.tsx';
import './globals.css';

/** Shown when the frame itself could not be rendered, so this renders its own. */
export default function GlobalError(props: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <PageError {...props} />
      </body>
    </html>
  );
}
