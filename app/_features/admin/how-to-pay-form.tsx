'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, CardFoot, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Field } from '#app/_components/ui/field.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { INPUT } from '#app/_components/ui/input.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { type HowToPay, PayText } from '#app/_features/plan/pay-text.tsx';
import { plan } from '#app/_features/plan/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';

const texts = plan.howToPay;

/** The payment instructions that every customer reads, with a preview. */
export function HowToPayForm() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.admin.howToPay.queryOptions());
  if (error && !data) return <Failure error={error} retry={refetch} />;
  if (!data)
    return (
      <Card>
        <SkeletonRows rows={6} />
      </Card>
    );
  return <Editor saved={data} />;
}

function Editor({ saved }: { saved: HowToPay }) {
  const trpc = useTRPC();
  const { done } = useFeedback();
  const queryClient = useQueryClient();
  const [pay, setPay] = useState(saved);
  const [seen, setSeen] = useState(saved);
  const change = (part: Partial<HowToPay>) => setPay((before) => ({ ...before, ...part }));
  const save = useMutation(
    trpc.admin.setHowToPay.mutationOptions({
      onSuccess: (now) => {
        setPay(now);
        setSeen(now);
        queryClient.setQueryData(trpc.admin.howToPay.queryKey(), now);
        done(texts.done);
      },
    }),
  );
  return (
    <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-2">
      <Card>
        <Form busy={save.isPending} onSubmit={() => save.mutate({ ...pay, seen })}>
          <div className="flex flex-col gap-4 p-4">
            <Failure error={save.error} assertive />
            <Field label={texts.label} help={texts.help}>
              {(tie) => (
                <textarea
                  {...tie}
                  rows={9}
                  maxLength={4000}
                  placeholder={texts.placeholder}
                  value={pay.text}
                  onChange={(event) => change({ text: event.target.value })}
                  className={`${INPUT} h-auto! resize-y py-2 leading-5`}
                />
              )}
            </Field>
            <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
              <InputField
                label={texts.contactName}
                help={texts.contactNameHelp}
                autoComplete="off"
                value={pay.contactName}
                onChange={(event) => change({ contactName: event.target.value })}
              />
              <InputField
                label={texts.contactAddress}
                autoComplete="off"
                value={pay.contactAddress}
                onChange={(event) => change({ contactAddress: event.target.value })}
              />
            </div>
          </div>
          <CardFoot className="justify-end!">
            <Button type="submit" variant="primary" busy={save.isPending}>
              {texts.submit}
            </Button>
          </CardFoot>
        </Form>
      </Card>
      <Section title={texts.preview}>
        <Card className="p-4">
          <PayText
            pay={{ ...pay, text: pay.text.trim(), contactAddress: pay.contactAddress.trim() }}
            state="none"
            editable={false}
          />
        </Card>
      </Section>
    </div>
  );
}
