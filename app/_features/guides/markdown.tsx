import { Children, isValidElement, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { anchorOf } from '#server/rest/reference/operations.ts';
import { guides as texts } from './words.ts';

/** Our own Markdown, rendered on the server. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="docs-prose">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}

/** Longer blocks are collapsed at first, so that a guide fits on two screens. */
const LINES_MAX = 24;

const COMPONENTS: Components = {
  h2: ({ children }) => (
    <h2 id={anchorOf(textOf(children))}>
      <a href={`#${anchorOf(textOf(children))}`}>{children}</a>
    </h2>
  ),
  a: ({ href = '', children }) =>
    href.startsWith('/') ? <Link href={href}>{children}</Link> : <a href={href}>{children}</a>,
  pre: ({ children }) => {
    const code = textOf(children).trimEnd();
    const block = (
      <div className="docs-card docs-block">
        <Code text={code} />
        <CopyButton text={code} label={texts.copy} />
      </div>
    );
    if (code.split('\n').length <= LINES_MAX) return block;
    return (
      <details className="docs-long">
        <summary>{texts.languages[languageOf(children)] ?? texts.copy}</summary>
        {block}
      </details>
    );
  },
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
    <section className="docs-card docs-table" tabIndex={0} aria-label={texts.table}>
      <table>{children}</table>
    </section>
  ),
};

/** The word after the opening fence. */
function languageOf(children: ReactNode): string {
  const [code] = Children.toArray(children);
  if (!isValidElement<{ className?: string }>(code)) return '';
  return code.props.className?.replace('language-', '') ?? '';
}

/** The text of rendered Markdown. */
function textOf(children: ReactNode): string {
  return Children.toArray(children)
    .map((child) =>
      isValidElement<{ children?: ReactNode }>(child) ? textOf(child.props.children) : String(child),
    )
    .join('');
}
