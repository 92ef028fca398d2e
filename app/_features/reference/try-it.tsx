'use client';

import { Play } from 'lucide-react';
import { useId, useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import { pretty } from '#app/_components/ui/pretty.ts';
import type { ExampleRequest } from '#server/rest/reference/operations.ts';
import { answerHeaders } from './answer-headers.ts';
import { isSandboxKey, useHeldKey } from './held-key.ts';
import { reference } from './words.ts';

const texts = reference.try;

interface Answer {
  status: number;
  ms: number;
  headers: [string, string][];
  body: string;
}

interface Attempted {
  request: ExampleRequest;
  /** Names of the response headers that are shown. */
  shown: readonly string[];
}

/** Sends the example, or the reader's version of it, from this page. Only with a key of the sandbox. */
export function TryIt(attempted: Attempted) {
  const [open, setOpen] = useState(false);
  if (open) return <Attempt {...attempted} />;
  return (
    <Button size="small" onClick={() => setOpen(true)} className="self-start">
      <Play />
      {texts.open}
    </Button>
  );
}

function Attempt({ request, shown }: Attempted) {
  const key = useHeldKey();
  const id = useId();
  const [path, setPath] = useState(request.path);
  const [body, setBody] = useState(request.body && JSON.stringify(request.body, null, 2));
  const [answer, setAnswer] = useState<Answer | 'none' | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setAnswer(await call({ ...request, path, key, body, shown }).catch(() => 'none' as const));
    setBusy(false);
  };
  return (
    <section aria-label={texts.label} className="docs-card docs-try">
      <label htmlFor={`${id}-path`}>{request.method} /v1</label>
      <Input
        id={`${id}-path`}
        value={path}
        onChange={(event) => setPath(event.target.value)}
        spellCheck={false}
        maxLength={500}
        className="font-mono text-12!"
      />
      {body !== null && (
        <>
          <label htmlFor={`${id}-body`}>{texts.body}</label>
          <textarea
            id={`${id}-body`}
            value={body}
            onChange={(event) => setBody(event.target.value)}
            rows={Math.min(12, body.split('\n').length + 1)}
            spellCheck={false}
            className="docs-body"
          />
        </>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="primary"
          size="small"
          busy={busy}
          disabled={!isSandboxKey(key)}
          onClick={() => void send()}
        >
          {texts.send}
        </Button>
        {!isSandboxKey(key) && <span className="text-12 text-ink-3">{texts.needsKey}</span>}
      </div>
      <div role="status">
        {answer === 'none' && <p className="text-12 text-ink-2">{texts.none}</p>}
        {answer !== null && answer !== 'none' && <AnswerBox answer={answer} />}
      </div>
    </section>
  );
}

function AnswerBox({ answer }: { answer: Answer }) {
  return (
    <div className="docs-answer">
      <p>
        <Tag tone={answer.status < 300 ? 'ok' : 'fail'} mono>
          {answer.status}
        </Tag>
        <span className="text-12 text-ink-3">{texts.took(answer.ms)}</span>
      </p>
      {answer.headers.map(([name, value]) => (
        <p key={name} className="font-mono text-12 break-all text-ink-2">
          {name}: {value}
        </p>
      ))}
      <Code text={answer.body} />
    </div>
  );
}

async function call({
  method,
  path,
  key,
  headers,
  body,
  shown,
}: Omit<ExampleRequest, 'body'> & {
  key: string;
  body: string | null;
  shown: readonly string[];
}): Promise<Answer> {
  const from = performance.now();
  const response = await fetch(`/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== null && { 'content-type': 'application/json' }),
      // Each click sends a message: the example's key would return the first answer again.
      ...('Idempotency-Key' in headers && { 'idempotency-key': `try ${Date.now()}` }),
    },
    ...(body !== null && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    ms: Math.round(performance.now() - from),
    headers: answerHeaders(response.headers, shown),
    body: pretty(text),
  };
}
