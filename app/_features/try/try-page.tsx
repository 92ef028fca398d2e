'use client';

import { Send, Smartphone } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Checkbox, Segments } from '#app/_components/ui/choice.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Field } from '#app/_components/ui/field.tsx';
import { INPUT, Input } from '#app/_components/ui/input.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { minuteOf, useNow } from '#app/_components/ui/time.tsx';
import { useInBrowser } from '#app/_components/ui/use-in-browser.ts';
import { Bubble } from '#app/_features/chat/bubble.tsx';
import { curlCommand } from '#app/_features/keys/curl-command.ts';
import { KIND_OPTIONS } from '#app/_features/kinds/kind-labels.ts';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type MessageType, shownContent } from '#server/core/message.ts';
import { NUMBER_NAMES, signOf } from '#server/core/number-sign.ts';
import { Answer, AnswerStatus } from './answer.tsx';
import { type FieldName, fieldsOf, type Request, useDraft } from './use-draft.ts';
import { useTryIt } from './use-try-it.ts';
import { tryIt as texts } from './words.ts';

/** A form for an API request: validated while the user types, sent, and answered. */
export function TryPage() {
  const numbers = useNumbers();
  const [chosen, setChosen] = useState<string>();
  const number =
    numbers.find(({ id }) => id === chosen) ??
    numbers.find(({ status }) => status === 'CONNECTED') ??
    numbers[0];
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      {number ? (
        <Desk number={number} numbers={numbers} onNumber={setChosen} />
      ) : (
        <Card>
          <Empty icon={<Smartphone />} {...texts.noNumber} href="/numbers/new" />
        </Card>
      )}
    </>
  );
}

function Desk({
  number,
  numbers,
  onNumber,
}: {
  number: NumberItem;
  numbers: NumberItem[];
  onNumber: (id: string) => void;
}) {
  const me = useMe();
  const [kind, setKind] = useState<MessageType>('text');
  const [async, setAsync] = useState(false);
  const draft = useDraft(kind);
  const began = useRef(0);
  const [tookMs, setTookMs] = useState(0);
  const send = useTryIt(() => setTookMs(performance.now() - began.current));
  const answer = draft.showsProblem ? undefined : send.data;
  const answerId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.touchAll();
    if (!draft.valid || send.isPending) return;
    began.current = performance.now();
    send.mutate({ numberId: number.id, type: kind, request: draft.request, async });
  };
  const curl = curlCommand(
    { base: `${me.publicUrl}/v1`, kind, request: draft.request },
    { headers: async ? ['Prefer: respond-async'] : [] },
  );
  return (
    <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-2">
      <Card>
        <form onSubmit={submit} onFocus={draft.attend} noValidate>
          <div className="flex flex-col gap-4 p-4 sm:p-5">
            <div>
              <Segments label={texts.kind} value={kind} onChange={setKind} folds options={KIND_OPTIONS} />
            </div>
            <SelectField
              label={texts.number}
              help={number.network === 'whatsapp' ? texts.real : undefined}
              value={number.id}
              onChange={onNumber}
              options={numbers.map((one) => ({
                value: one.id,
                label: `${one.name}, ${NUMBER_NAMES[signOf(one)].toLowerCase()}`,
              }))}
            />
            {fieldsOf(kind).map((field) => (
              <RequestField
                key={`${kind}-${field}`}
                field={field}
                value={draft.textOf(field)}
                problem={draft.problemOf(field)}
                onChange={(value) => draft.change(field, value)}
              />
            ))}
            <Checkbox checked={async} onChange={setAsync}>
              {texts.async}
            </Checkbox>
            <Failure error={send.problem} assertive />
          </div>
          <CardFoot className="px-5! py-3!">
            {/* On a phone the answer is far below the button. */}
            <span role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              {send.isPending && !async && texts.sending}
              {answer && (
                <>
                  <AnswerStatus answer={answer} tookMs={tookMs} />
                  <a href={`#${answerId}`} className="font-medium text-brand-fg hover:underline">
                    {texts.toAnswer}
                  </a>
                </>
              )}
            </span>
            <Button type="submit" variant="primary" busy={send.isPending}>
              <Send />
              {texts.submit}
            </Button>
          </CardFoot>
        </form>
      </Card>
      <div className="flex min-w-0 flex-col gap-7">
        <Section title={texts.preview}>
          <Preview kind={kind} request={draft.request} />
        </Section>
        <Section title={texts.request}>
          <div className="overflow-hidden rounded-4 border border-line bg-raised shadow-card">
            <div className="flex h-[34px] items-center justify-between border-b border-line bg-sunken pr-2 pl-4 text-12 text-ink-3">
              curl
              <CopyButton text={curl} label={texts.copyRequest} />
            </div>
            <Code text={curl} />
          </div>
        </Section>
        <div id={answerId}>
          <Section title={texts.answer}>
            <Answer answer={answer} tookMs={tookMs} number={number} />
          </Section>
        </div>
      </div>
    </div>
  );
}

function RequestField({
  field,
  value,
  problem,
  onChange,
}: {
  field: FieldName;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}) {
  const { label, help } = texts.fields[field];
  const about = typeof help === 'function' ? help([...value].length.toLocaleString('en')) : help;
  const long = field === 'body' || field === 'caption';
  return (
    <Field label={<code className="font-mono text-12">{label}</code>} help={about} error={problem}>
      {(tie) =>
        long ? (
          <textarea
            {...tie}
            rows={field === 'body' ? 4 : 2}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className={`${INPUT} h-auto! resize-y py-2 leading-5`}
          />
        ) : (
          <Input
            {...tie}
            value={value}
            autoComplete="off"
            spellCheck={false}
            inputMode={field === 'contactPhone' ? 'numeric' : 'text'}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

function Preview({ kind, request }: { kind: MessageType; request: Request }) {
  const now = useNow(30_000);
  const inBrowser = useInBrowser();
  // While the user types, fields may be missing, and a coordinate may not be a number.
  const content = shownContent(kind, {
    ...request,
    latitude: Number(request.latitude) || 0,
    longitude: Number(request.longitude) || 0,
    contactPhone: `+${request.contactPhone ?? ''}`,
  });
  return (
    <div className="chat flex min-h-[104px] flex-col justify-end rounded-4 border border-line px-4 py-[18px]">
      <Bubble tail content={content} time={inBrowser ? minuteOf(now) : ''} ack={0} />
    </div>
  );
}
