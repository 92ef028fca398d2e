import type { Metadata } from 'next';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Logo } from '#app/_components/ui/logo.tsx';
import { sample } from '#app/_features/keys/samples.ts';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { ANSWER_HEADERS } from '#server/rest/error-guide.ts';
import { settings } from '#server/settings.ts';
import { AnswersTable } from './answers-table.tsx';
import { Inline } from './inline.tsx';
import { Reference } from './reference.tsx';
import { texts } from './texts.ts';
import './docs.css';

export const metadata: Metadata = { title: texts.title };

export default function DocsPage() {
  const { sections, start, answers, headers } = texts;
  return (
    <div className="docs">
      <header className="docs-top">
        <Link href="/" className="docs-brand">
          <Logo size={24} />
          Wirebird
        </Link>
        <nav className="docs-links">
          <a href="/v1/openapi.json">{texts.document}</a>
          <Link href="/">{texts.home}</Link>
        </nav>
      </header>
      <div className="docs-columns">
        <nav className="docs-contents" aria-label={texts.contents}>
          {Object.entries(sections).map(([id, title]) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
        <main id="content" className="docs-main">
          <div className="docs-head">
            <h1>{texts.title}</h1>
            <p>{texts.lead}</p>
          </div>
          <section id="start" className="docs-section">
            <h2>{sections.start}</h2>
            <ul className="docs-facts">
              <li>
                <Inline text={start.key} />
              </li>
              <li>
                <Inline text={start.sent} />
              </li>
              <li>
                <Inline text={start.timeout} />
              </li>
              <li>
                <Inline text={start.repeat} />
              </li>
            </ul>
            <FirstMessage />
          </section>
          <section id="answers" className="docs-section">
            <h2>{sections.answers}</h2>
            <p>{answers.lead}</p>
            <AnswersTable />
          </section>
          <section id="headers" className="docs-section">
            <h2>{sections.headers}</h2>
            <p>{headers.lead}</p>
            <dl className="docs-card docs-headers">
              {Object.entries(ANSWER_HEADERS).map(([name, meaning]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <Inline text={meaning} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
          <section id="try" className="docs-section">
            <h2>{sections.try}</h2>
            <p>
              <Inline text={texts.try.lead} />
            </p>
            <Reference />
          </section>
        </main>
      </div>
    </div>
  );
}

function FirstMessage() {
  const { example, copy, more } = texts.start;
  const request = exampleRequest('text', PLACEHOLDER_FILES);
  const command = sample('curl', { base: `${settings.publicUrl}/v1`, kind: 'text', request });
  return (
    <div className="docs-card">
      <div className="docs-code-head">
        {example}
        <CopyButton text={command} label={copy} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard */}
      <pre tabIndex={0}>{command}</pre>
      <p className="docs-code-foot">{more}</p>
    </div>
  );
}
