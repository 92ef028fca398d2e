import { useMutation } from '@tanstack/react-query';
import { Check, Download, ExternalLink, KeyRound, RotateCw, Send } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { Segments } from '#app/_components/ui/choice.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { countdown, useNow } from '#app/_components/ui/time.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import type { Linking } from './linking.ts';
import { PairingCode } from './pairing-panel.tsx';
import { usePasskeyExtension } from './use-passkey-extension.ts';
import { linking } from './words.ts';

const texts = linking.passkey;
const SITE = 'https://web.whatsapp.com/';

interface Props {
  number: NumberItem;
  linking: Linking;
}

/** What WhatsApp asks for the number's passkey, and what the owner does about it. */
export default function PasskeyCard({ number, linking: { passkey, linkUntil } }: Props) {
  if (!passkey) return null;
  if (passkey.at === 'sign') return <SignCard key={passkey.attempt} number={number} linkUntil={linkUntil} />;
  const { attempt, at, code, why } = passkey;
  const next = { code: 'confirm', failed: 'retry' } as const;
  return (
    <Card className="flex flex-col items-center gap-4 px-5 py-10">
      <p role="status" className="flex items-center gap-2.5 text-center font-medium">
        {at === 'failed' && <StatusIcon shape="cross" tone="fail" size={20} />}
        {at !== 'failed' && at !== 'code' && <StatusIcon shape="turning" tone="wait" size={20} />}
        {at === 'failed' && why === 'timeout' ? texts.late : texts.at[at]}
      </p>
      {code !== null && (
        <div className="w-full max-w-[320px]">
          <PairingCode code={code} label={texts.codeLabel} />
        </div>
      )}
      {(at === 'code' || at === 'failed') && <Next number={number} attempt={attempt} kind={next[at]} />}
    </Card>
  );
}

function Next({ number, attempt, kind }: { number: NumberItem; attempt: string; kind: 'confirm' | 'retry' }) {
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const go = useMutation(trpc.numbers.continuePasskey.mutationOptions({ onError: failed }));
  return (
    <Button
      variant="primary"
      size="large"
      busy={go.isPending || go.isSuccess}
      onClick={() => go.mutate({ numberId: number.id, attempt, kind })}
    >
      {kind === 'confirm' ? <Check /> : <RotateCw />}
      {texts.next[kind]}
    </Button>
  );
}

function SignCard({ number, linkUntil }: { number: NumberItem; linkUntil: string | null }) {
  const now = useNow(500);
  const [way, setWay] = useState<'extension' | 'console'>('extension');
  const left = linkUntil ? new Date(linkUntil).getTime() - now.getTime() : 0;
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 pt-4">
        <div>
          <h2>{texts.title}</h2>
          <p className="text-13 text-ink-2">
            {texts.lead}{' '}
            {left > 0 && (
              <span role="timer" className="tabular-nums">
                {texts.left(countdown(left))}
              </span>
            )}
          </p>
        </div>
        <Segments
          label={texts.by.label}
          value={way}
          onChange={setWay}
          options={[
            { value: 'extension', label: texts.by.extension },
            { value: 'console', label: texts.by.console },
          ]}
        />
      </div>
      {way === 'extension' ? <ByExtension number={number} /> : <ByConsole number={number} />}
      {number.network === 'sandbox' && <BySandbox number={number} />}
    </Card>
  );
}

function ByExtension({ number }: { number: NumberItem }) {
  const { isHere, sign } = usePasskeyExtension();
  const { toSign, answer } = useSigning(number);
  const open = async () => {
    const { token, request } = await toSign.mutateAsync({ numberId: number.id });
    sign({ request, name: number.name }, (assertion) =>
      answer.mutate({ numberId: number.id, answer: JSON.stringify({ token, assertion }) }),
    );
  };
  const { extension } = texts;
  return (
    <>
      <Steps>
        <Step place={1} title={extension.computer}>
          <span>{extension.computerText}</span>
        </Step>
        <Step place={2} title={extension.add} isDone={isHere}>
          {isHere ? (
            <span>{extension.added}</span>
          ) : (
            <>
              <span>{extension.addText}</span>
              <Button asChild>
                <a href="/passkey-extension.zip" download>
                  <Download />
                  {extension.download}
                </a>
              </Button>
            </>
          )}
        </Step>
        <Step place={3} title={extension.open}>
          <span>{extension.openText}</span>
          <Button
            variant="primary"
            disabled={!isHere}
            busy={toSign.isPending || answer.isPending}
            onClick={() => void open().catch(() => {})}
          >
            <ExternalLink />
            {extension.openDo}
          </Button>
        </Step>
        <Step place={4} title={extension.confirm}>
          <span>{extension.confirmText}</span>
        </Step>
      </Steps>
      <div className="px-4 pb-4 empty:hidden">
        <Failure error={toSign.error ?? answer.error} assertive />
      </div>
    </>
  );
}

function ByConsole({ number }: { number: NumberItem }) {
  const { toSign, answer } = useSigning(number);
  const code = toSign.data?.consoleCode;
  const { console: words } = texts;
  return (
    <>
      <Steps>
        <Step place={1} title={words.open}>
          <span>{words.openText}</span>
          <Button asChild>
            <a href={SITE} target="_blank" rel="noreferrer">
              <ExternalLink />
              {words.openDo}
            </a>
          </Button>
        </Step>
        <Step place={2} title={words.paste}>
          <span>{words.pasteText}</span>
          {code === undefined ? (
            <Button busy={toSign.isPending} onClick={() => toSign.mutate({ numberId: number.id })}>
              {words.pasteDo}
            </Button>
          ) : (
            <CopyButton text={code} label={words.copy} size="medium">
              {words.copy}
            </CopyButton>
          )}
        </Step>
        <Step place={3} title={words.confirm}>
          <span>{words.confirmText}</span>
        </Step>
        <Step place={4} title={words.answer}>
          <Form
            busy={answer.isPending}
            onSubmit={(values) =>
              answer.mutate({ numberId: number.id, answer: String(values.get('answer') ?? '').trim() })
            }
            className="flex w-full flex-col gap-2"
          >
            <InputField
              label={words.answerLabel}
              error={answer.error}
              name="answer"
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              required
            />
            <Button type="submit" variant="primary" busy={answer.isPending} className="self-start">
              <Send />
              {words.answerDo}
            </Button>
          </Form>
        </Step>
      </Steps>
      <div className="px-4 pb-4 empty:hidden">
        <Failure error={toSign.error} assertive />
      </div>
      {code !== undefined && (
        <div
          className="mx-4 mb-4 max-h-44 overflow-y-auto rounded-3 border border-line-soft bg-sunken"
          data-testid="passkey-code"
        >
          <Code text={code} wrap />
        </div>
      )}
    </>
  );
}

function BySandbox({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const sign = useMutation(trpc.sandbox.signPasskey.mutationOptions({ onError: failed }));
  return (
    <CardFoot>
      <span>{texts.sandbox}</span>
      <Button size="small" busy={sign.isPending} onClick={() => sign.mutate({ numberId: number.id })}>
        <KeyRound />
        {texts.sandboxDo}
      </Button>
    </CardFoot>
  );
}

function useSigning(number: NumberItem) {
  const trpc = useTRPC();
  const { refresh } = useFeedback();
  return {
    // Neither is kept: the answer counts once.
    toSign: useMutation(trpc.numbers.passkeyToSign.mutationOptions({ gcTime: 0 })),
    answer: useMutation(
      trpc.numbers.answerPasskey.mutationOptions({
        gcTime: 0,
        onSuccess: () => refresh(trpc.numbers.linking.queryFilter({ numberId: number.id })),
      }),
    ),
  };
}

function Steps({ children }: { children: ReactNode }) {
  return <ol className="grid gap-x-5 gap-y-4 p-4 md:grid-cols-2 xl:grid-cols-4">{children}</ol>;
}

/** One of four; a list without numbers of its own, because they are drawn. */
function Step({
  place,
  title,
  isDone = false,
  children,
}: {
  place: 1 | 2 | 3 | 4;
  title: string;
  isDone?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <li aria-labelledby={id} className="flex gap-2.5">
      {isDone ? (
        <StatusIcon shape="done" tone="ok" size={20} />
      ) : (
        <span className="grid size-5 shrink-0 place-items-center rounded-full bg-mute-bg text-12 font-medium text-ink-2 tabular-nums">
          {place}
        </span>
      )}
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2 text-13 text-ink-2">
        <b id={id} className="-mb-2 font-medium text-ink">
          {title}
        </b>
        {children}
      </div>
    </li>
  );
}
