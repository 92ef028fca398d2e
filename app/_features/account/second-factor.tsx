'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { QrImage } from '#app/_components/ui/qr-image.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { useStillWaiting } from '#app/_components/ui/still-waiting.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { CodeField } from './password-fields.tsx';
import { account } from './words.ts';

const texts = account.second;
type Proposal = Outputs['user']['beginSecondFactor'];

/** The authenticator app: off, in setup, or on. */
export function SecondFactor() {
  const trpc = useTRPC();
  const { done, refresh: invalidate } = useFeedback();
  const { data, error, refetch } = useQuery(trpc.user.secondFactor.queryOptions());
  const [codes, setCodes] = useState<string[]>();
  const refresh = () => invalidate({ queryKey: trpc.user.secondFactor.queryKey() });
  const begin = useMutation(trpc.user.beginSecondFactor.mutationOptions());
  const renew = useMutation(
    trpc.user.renewRecoveryCodes.mutationOptions({ onSuccess: (made) => setCodes(made.recoveryCodes) }),
  );
  const remove = useMutation(trpc.user.removeSecondFactor.mutationOptions({ onSuccess: refresh }));
  return (
    <Section title={texts.title} aside={data && <Tag>{data.on ? texts.on : texts.off}</Tag>}>
      <Card className="flex flex-col items-start gap-4 p-4">
        {!data && !error && <SkeletonRows rows={2} />}
        <Failure error={error} retry={refetch} />
        <Failure error={begin.error ?? renew.error} assertive />
        {data && (
          <p className="max-w-[60ch] text-13 text-ink-2">
            {data.on
              ? texts.leadOn(data.recoveryCodesLeft)
              : data.required
                ? texts.leadRequired
                : texts.leadOff}
          </p>
        )}
        {data && !data.on && (
          <Button variant="primary" busy={begin.isPending} onClick={() => begin.mutate()}>
            {texts.begin}
          </Button>
        )}
        {data?.on && (
          <div className="flex flex-wrap gap-2">
            <Button busy={renew.isPending} onClick={() => renew.mutate()}>
              {texts.renew}
            </Button>
            {!data.required && (
              <Confirm
                trigger={<Button variant="danger">{texts.removeDialog.submit}</Button>}
                {...texts.removeDialog}
                onConfirm={() => remove.mutateAsync()}
              />
            )}
          </div>
        )}
      </Card>
      {begin.data && (
        <SetUp
          proposal={begin.data}
          onClose={() => begin.reset()}
          onDone={(made) => {
            begin.reset();
            setCodes(made);
            done(texts.done);
            void refresh();
          }}
        />
      )}
      {codes && (
        <RecoveryCodes
          codes={codes}
          onClose={() => {
            setCodes(undefined);
            void refresh();
          }}
        />
      )}
    </Section>
  );
}

function SetUp({
  proposal: { qr, secret },
  onClose,
  onDone,
}: {
  proposal: Proposal;
  onClose: () => void;
  onDone: (recoveryCodes: string[]) => void;
}) {
  const trpc = useTRPC();
  const form = useId();
  const confirm = useMutation(
    trpc.user.confirmSecondFactor.mutationOptions({ onSuccess: (made) => onDone(made.recoveryCodes) }),
  );
  const { close, note } = useStillWaiting(confirm.isPending, onClose);
  return (
    <Dialog
      onClose={close}
      title={texts.title}
      text={texts.scan}
      footer={
        <Button variant="primary" type="submit" form={form} busy={confirm.isPending}>
          {texts.submit}
        </Button>
      }
    >
      <Form
        id={form}
        busy={confirm.isPending}
        onSubmit={(values) => confirm.mutate({ code: String(values.get('code')) })}
        className="flex flex-col gap-4"
      >
        <div className="mx-auto rounded-4 bg-white p-2">
          <QrImage qr={qr} label={texts.qrLabel} className="size-[200px]" />
        </div>
        <p className="text-12 text-ink-3">
          {texts.orType}{' '}
          <span className="flex items-center gap-1">
            <code className="font-mono break-all text-ink">{secret}</code>
            <CopyButton text={secret} label={texts.copySecret} />
          </span>
        </p>
        <Failure error={confirm.error} assertive />
        {note}
        <CodeField help="" />
      </Form>
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { recovery } = account;
  return (
    <Dialog
      keepOpen
      title={recovery.title}
      text={recovery.lead}
      footer={
        <>
          <CopyButton text={codes.join('\n')} label={recovery.copyLabel} size="medium">
            {recovery.copy}
          </CopyButton>
          <Button variant="primary" onClick={onClose}>
            {recovery.done}
          </Button>
        </>
      }
    >
      <ol className="grid gap-1 font-mono text-12 sm:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
    </Dialog>
  );
}
