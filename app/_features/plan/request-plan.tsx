import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { type PlanState, planWorks } from '#server/core/access.ts';
import { NumbersField } from './plan-inputs.tsx';
import { plan as planTexts } from './words.ts';

const texts = planTexts.request;
type Asked = Outputs['account']['planRequest'];

/** The title of the section, which “How to pay” names too. */
export function requestTitle(state: PlanState): string {
  if (state === 'none') return texts.title;
  return planWorks(state) ? texts.titleChange : texts.titleRenew;
}

/** Asks the administrator for a plan or for a change of a working one, or shows the open request. */
export function RequestPlan({
  plan,
  working,
  contact,
  instructed,
}: {
  plan: Outputs['account']['plan'];
  working: boolean;
  /** Whom to ask; empty if nobody is named. */
  contact: string;
  /** The account can read how to pay. */
  instructed: boolean;
}) {
  const me = useMe();
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.account.planRequest.queryOptions());
  const [changing, setChanging] = useState(false);
  const cancel = () => setChanging(false);
  const owner = me.account.role === 'owner';
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data) return null;
  const { request } = data;
  const { numbersIncluded, numbersUsed } = plan;
  const from = request ?? { numbers: numbersIncluded || numbersUsed || 1, contact: me.email, note: '' };
  return (
    <Section title={requestTitle(plan.state)}>
      {request && !changing ? (
        <Requested asked={data} request={request} onChange={owner ? () => setChanging(true) : null} />
      ) : owner && (changing || !working) ? (
        <RequestForm
          from={from}
          first={plan.state === 'none'}
          price={plan.price}
          lead={instructed && plan.state !== 'none' ? texts.justPay : null}
          questions={contact}
          onDone={cancel}
          onCancel={changing ? cancel : null}
        />
      ) : owner ? (
        <Card className="flex flex-wrap items-center justify-between gap-3 p-4 text-13 text-ink-2">
          <span className="min-w-0 flex-1 basis-48">
            {instructed ? `${texts.justPay} ${texts.changeOnly}` : texts.changeLead}
          </span>
          <Button changes onClick={() => setChanging(true)}>
            {texts.askChange}
          </Button>
        </Card>
      ) : (
        <Card className="p-4 text-13 text-ink-2">{texts.ownerOnly}</Card>
      )}
    </Section>
  );
}

function Requested({
  asked,
  request,
  onChange,
}: {
  asked: Asked;
  request: NonNullable<Asked['request']>;
  onChange: (() => void) | null;
}) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const withdraw = useMutation(
    trpc.account.withdrawPlanRequest.mutationOptions({
      onSuccess: async () => {
        await refresh();
        done(texts.withdrawn);
      },
      onError: failed,
    }),
  );
  return (
    <Note
      tone="wait"
      title={texts.requested(request.numbers)}
      action={
        onChange && (
          <>
            <Button changes onClick={onChange}>
              {texts.change}
            </Button>
            <Button changes busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
              {texts.withdraw}
            </Button>
          </>
        )
      }
    >
      <p>{asked.mailed ? texts.nextMailed : texts.next}</p>
      <p className="mt-1 text-12 text-ink-3">
        {texts.at} <Time at={request.createdAt} seconds={false} />. {texts.contactOf(request.contact)}
        {request.note && ` ${texts.noteOf(request.note)}`}
        <TimesIn className="block" />
      </p>
    </Note>
  );
}

function RequestForm({
  from,
  first,
  price,
  lead,
  questions,
  onDone,
  onCancel,
}: {
  from: { numbers: number; contact: string; note: string };
  /** The account had no plan before. */
  first: boolean;
  /** Euros a month for each number. */
  price: number;
  /** Who needs no request; null for everybody. */
  lead: string | null;
  questions: string;
  onDone: () => void;
  onCancel: (() => void) | null;
}) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const [count, setCount] = useState(from.numbers);
  const ask = useMutation(
    trpc.account.requestPlan.mutationOptions({
      onSuccess: async () => {
        await refresh();
        done(texts.done);
        onDone();
      },
    }),
  );
  const submit = (form: FormData) => {
    const of = (field: string) => String(form.get(field) ?? '');
    ask.mutate({ numbers: Number(of('numbers')), contact: of('contact'), note: of('note') });
  };
  return (
    <Card>
      <Form busy={ask.isPending} onSubmit={submit}>
        <div className="grid grid-cols-1 gap-4 p-4 sm:grid-cols-[150px_minmax(0,1fr)]">
          {lead && <p className="text-13 text-ink-2 sm:col-span-2">{lead}</p>}
          <Failure error={ask.error} assertive className="sm:col-span-2" />
          <NumbersField
            label={texts.numbers}
            defaultValue={from.numbers}
            onChange={(event) => setCount(event.currentTarget.valueAsNumber)}
          />
          <InputField
            label={texts.contact}
            help={texts.contactHelp}
            name="contact"
            maxLength={200}
            required
            defaultValue={from.contact}
          />
          <div className="sm:col-span-2">
            <InputField
              label={texts.note}
              help={first ? texts.noteHelp : texts.noteHelpRenew}
              name="note"
              maxLength={500}
              defaultValue={from.note}
            />
          </div>
          <p className="text-13 text-ink-2 sm:col-span-2">
            {count >= 1 && texts.price(price, count)} {texts.questions(questions)}
          </p>
        </div>
        <CardFoot className="justify-end!">
          {onCancel && <Button onClick={onCancel}>{texts.cancel}</Button>}
          <Button type="submit" variant="primary" changes busy={ask.isPending}>
            {texts.submit}
          </Button>
        </CardFoot>
      </Form>
    </Card>
  );
}
