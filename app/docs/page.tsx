import type { Metadata } from 'next';
import { Code } from '#app/_components/ui/code.tsx';
import { Inline } from '#app/_components/ui/inline.tsx';
import { AnswersTable } from '#app/_features/reference/answers-table.tsx';
import { DocsFrame } from '#app/_features/reference/docs-frame.tsx';
import { HeaderList } from '#app/_features/reference/header-list.tsx';
import { KeyField } from '#app/_features/reference/key-field.tsx';
import { OperationSection } from '#app/_features/reference/operation-section.tsx';
import { reference as texts } from '#app/_features/reference/words.ts';
import { ANSWER_HEADERS } from '#server/rest/error-guide.ts';
import { EVENT_EXAMPLE, EVENT_MEANINGS } from '#server/rest/reference/events.ts';
import { anchorOf } from '#server/rest/reference/operations.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { settings } from '#server/settings.ts';

export const metadata: Metadata = { title: texts.title };

export default function ReferencePage() {
  const { groups, requestHeaders } = currentReference();
  const { sections } = texts;
  return (
    <DocsFrame markdown="/docs.md">
      <div className="docs-head">
        <h1>{texts.title}</h1>
        <p>{texts.lead}</p>
        <p className="docs-downloads">
          <span>{texts.downloads}</span>
          <a href="/v1/openapi.json">{texts.document}</a>
          <a href="/docs/wirebird.postman_collection.json">{texts.postman}</a>
          <a href="/docs/wirebird-bruno.zip">{texts.bruno}</a>
        </p>
      </div>
      <section id="authentication" className="docs-section">
        <h2>{sections.authentication}</h2>
        <ul className="docs-facts">
          {texts.authentication.map((fact) => (
            <li key={fact}>
              <Inline text={fact} />
            </li>
          ))}
        </ul>
        <KeyField />
      </section>
      {groups.map(({ name, operations }) => (
        <section key={name} id={anchorOf(name)} className="docs-section">
          <h2>{name}</h2>
          {operations.map((operation) => (
            <OperationSection key={operation.id} operation={operation} base={`${settings.publicUrl}/v1`} />
          ))}
        </section>
      ))}
      <section id="errors" className="docs-section">
        <h2>{sections.errors}</h2>
        <p>
          <Inline text={texts.errors.lead} />
        </p>
        <AnswersTable />
      </section>
      <section id="request-headers" className="docs-section">
        <h2>{sections['request-headers']}</h2>
        <p>{texts.requestHeadersLead}</p>
        <HeaderList
          anchor="request-header"
          entries={requestHeaders.map(({ name, description }) => [name, description ?? ''])}
        />
      </section>
      <section id="headers" className="docs-section">
        <h2>{sections.headers}</h2>
        <p>{texts.headersLead}</p>
        <HeaderList anchor="header" entries={Object.entries(ANSWER_HEADERS)} />
      </section>
      <section id="events" className="docs-section">
        <h2>{sections.events}</h2>
        <p>{texts.eventsLead}</p>
        <HeaderList anchor="event" entries={Object.entries(EVENT_MEANINGS)} />
        <div className="docs-card">
          <div className="docs-code-head">{EVENT_EXAMPLE.type}</div>
          <Code text={JSON.stringify(EVENT_EXAMPLE, null, 2)} />
        </div>
      </section>
    </DocsFrame>
  );
}
