import { Fragment } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { Inline } from '#app/_components/ui/inline.tsx';
import {
  anchorOf,
  type ReferenceAnswer,
  type ReferenceOperation,
} from '#server/rest/reference/operations.ts';
import {
  requestSample,
  SAMPLE_LANGUAGES,
  type SampleLanguage,
} from '#server/rest/reference/request-samples.ts';
import { documentedHeaders } from './answer-headers.ts';
import { FieldList } from './field-list.tsx';
import { Method } from './method.tsx';
import { Samples } from './samples.tsx';
import { TryIt } from './try-it.tsx';
import { reference as texts } from './words.ts';

/** One endpoint: what it takes and answers on the left, a request and its answer on the right. */
export function OperationSection({ operation, base }: { operation: ReferenceOperation; base: string }) {
  const { anchor, method, path, title, description, headers, request } = operation;
  const success = operation.answers.find(({ status }) => status === 200);
  const samples = Object.fromEntries(
    SAMPLE_LANGUAGES.map((language) => [language, requestSample(language, base, request)]),
  ) as Record<SampleLanguage, string>;
  return (
    <section id={anchor} className="docs-operation" aria-labelledby={`${anchor}-title`}>
      <div className="docs-operation-text">
        <h3 id={`${anchor}-title`}>
          <a href={`#${anchor}`}>{title}</a>
        </h3>
        <p className="docs-path">
          <Method method={method} />
          <code>/v1{path}</code>
        </p>
        <p>
          <Inline text={description} />
        </p>
        <FieldList title={texts.inPath} fields={operation.pathFields} />
        <FieldList title={texts.query} fields={operation.query} />
        <FieldList title={texts.body} fields={operation.body} />
        {headers.length > 0 && (
          <section className="docs-fields">
            <h4>{texts.headers}</h4>
            <p className="docs-values">
              {headers.map((name) => (
                <a key={name} href={`#request-header-${anchorOf(name)}`}>
                  <code>{name}</code>
                </a>
              ))}
            </p>
          </section>
        )}
        <details className="docs-more">
          <summary>{texts.data}</summary>
          <FieldList title={texts.dataFields} fields={operation.data} answer />
        </details>
        <section className="docs-fields">
          <h4>{texts.answers}</h4>
          {operation.answers.map((answer) => (
            <Answer key={answer.status} answer={answer} />
          ))}
        </section>
      </div>
      <div className="docs-operation-code">
        <Samples samples={samples} />
        {success && (
          <div className="docs-card">
            <div className="docs-code-head">
              {texts.answer}
              <Tag tone="ok" mono>
                200
              </Tag>
            </div>
            <Code text={JSON.stringify(success.example, null, 2)} />
          </div>
        )}
        <TryIt request={request} shown={documentedHeaders(operation)} />
      </div>
    </section>
  );
}

function Answer({ answer }: { answer: ReferenceAnswer }) {
  const { status, description, headers, example, cases, codes: all } = answer;
  return (
    <details className="docs-more">
      <summary>
        <Tag tone={status < 300 ? 'ok' : status < 500 ? 'warn' : 'fail'} mono>
          {status}
        </Tag>
        <span>{all.length > 0 ? all.join(', ') : texts.success[status]}</span>
      </summary>
      {cases.length === 0 && (
        <p>
          <Inline text={description} />
        </p>
      )}
      {cases.map(({ sign, meaning, next, codes }) => (
        <p key={`${codes.join()} ${sign}`}>
          {codes.map((code) => (
            <Fragment key={code}>
              <a href={`#error-${code}`}>
                <code>{code}</code>
              </a>{' '}
            </Fragment>
          ))}
          {meaning} <b>{next}</b>
        </p>
      ))}
      <Code text={JSON.stringify(example, null, 2)} />
      <p className="docs-values">
        {headers.map((name) => (
          <a key={name} href={`#header-${anchorOf(name)}`}>
            <code>{name}</code>
          </a>
        ))}
      </p>
    </details>
  );
}
