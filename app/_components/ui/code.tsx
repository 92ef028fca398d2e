import clsx from 'clsx';
import type { ReactNode } from 'react';

/** Code to read and copy, with highlighted strings and keywords. `wrap`: long lines break instead of scrolling. */
export function Code({ text, wrap = false }: { text: string; wrap?: boolean }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={clsx(
        'overflow-x-auto px-4 py-3.5 font-mono text-[12.5px]/5 tracking-[-0.01em]',
        wrap && 'whitespace-pre-wrap',
      )}
    >
      {highlight(text)}
    </pre>
  );
}

const WORDS = /\b(?:const|await|import|print|echo|true|false|return)\b/;
const TOKEN = new RegExp(`("(?:[^"\\\\]|\\\\.)*")|(${WORDS.source})`, 'g');

function highlight(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string] = match;
    parts.push(text.slice(from, match.index));
    parts.push(
      <span key={match.index} className={string ? 'code-str' : 'code-key'}>
        {token}
      </span>,
    );
    from = match.index + token.length;
  }
  parts.push(text.slice(from));
  return parts;
}
