import type { ReactNode } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { Logo } from '#app/_components/ui/logo.tsx';
import { GUIDES, guidePath } from '#app/_features/guides/guides.ts';
import { anchorOf } from '#server/rest/reference/operations.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { DocsSearch } from './docs-search.tsx';
import { Method } from './method.tsx';
import { reference as texts } from './words.ts';

/** The head and the contents of every page of the documentation. `current` is the guide that is open. */
export function DocsFrame({
  current,
  markdown,
  children,
}: {
  current?: string;
  /** The page as Markdown. */
  markdown: string;
  children: ReactNode;
}) {
  return (
    <div className="docs">
      <header className="docs-top">
        <Link href="/docs" className="docs-brand">
          <Logo size={24} />
          Wirebird
        </Link>
        <DocsSearch />
        <nav className="docs-links" aria-label={texts.title}>
          <a href={markdown}>{texts.markdown}</a>
          <Link href="/">{texts.home}</Link>
        </nav>
      </header>
      <div className="docs-columns">
        <nav className="docs-contents" aria-label={texts.contents}>
          <Contents current={current} />
        </nav>
        <main id="content" className="docs-main">
          <details className="docs-menu">
            <summary>{texts.menu}</summary>
            <Contents current={current} />
          </details>
          {children}
        </main>
      </div>
    </div>
  );
}

function Contents({ current }: { current: string | undefined }) {
  const { authentication, ...rest } = texts.sections;
  const here = current === undefined ? '' : '/docs';
  return (
    <>
      <p>{texts.guides}</p>
      {GUIDES.map(({ slug, name }) => (
        <Link key={slug} href={guidePath(slug)} aria-current={slug === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
      <p>{texts.reference}</p>
      <a href={`${here}#authentication`}>{authentication}</a>
      {currentReference().groups.map(({ name, operations }) => (
        <div key={name}>
          <a href={`${here}#${anchorOf(name)}`}>{name}</a>
          {operations.map(({ anchor, method, title }) => (
            <a key={anchor} href={`${here}#${anchor}`} className="docs-endpoint">
              <span>{title}</span>
              <Method method={method} />
            </a>
          ))}
        </div>
      ))}
      {Object.entries(rest).map(([id, title]) => (
        <a key={id} href={`${here}#${id}`}>
          {title}
        </a>
      ))}
    </>
  );
}
