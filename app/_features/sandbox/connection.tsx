import { CopyX, KeyRound, QrCode, ScanLine, Unlink, Wifi, WifiOff } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardHead } from '#app/_components/ui/card.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { type Phone, usePhoneActions } from './use-phone.ts';
import { sandbox } from './words.ts';

const texts = sandbox.connection;

/** Links and disconnects the phone, as a person would. */
export function Connection({ number, phone }: { number: NumberItem; phone: Phone | undefined }) {
  const { drive, signPasskey } = usePhoneActions();
  const linked = (phone?.state.devices ?? 0) > 0;
  const offline = phone !== undefined && phone.state.reach !== 'online';
  const passkey = phone?.state.passkey.waiting ?? false;
  const act = (phoneAction: Parameters<typeof drive.mutate>[0]['phoneAction']) =>
    drive.mutate({ numberId: number.id, phoneAction });
  const busy = (action: string) => drive.isPending && drive.variables?.phoneAction === action;
  return (
    <Card>
      <CardHead title={texts.title} />
      <div className="flex flex-col gap-2 p-4">
        <div className="grid grid-cols-2 gap-2 [&>button]:gap-1.5 [&>button]:px-1 [&>button]:text-12">
          <Button disabled={!phone?.offered.qr} busy={busy('scan')} onClick={() => act('scan')}>
            <ScanLine />
            {texts.scan}
          </Button>
          <Button disabled={!linked} busy={busy('unlink')} onClick={() => act('unlink')}>
            <Unlink />
            {texts.unlink}
          </Button>
          <Button
            disabled={!phone}
            busy={busy('offline') || busy('online')}
            onClick={() => act(offline ? 'online' : 'offline')}
          >
            {offline ? <Wifi /> : <WifiOff />}
            {offline ? texts.online : texts.offline}
          </Button>
          <Button
            disabled={!phone || phone.state.connected === 0}
            busy={busy('replaced')}
            onClick={() => act('replaced')}
          >
            <CopyX />
            {texts.replaced}
          </Button>
          {passkey && (
            <Button
              className="col-span-2"
              busy={signPasskey.isPending}
              onClick={() => signPasskey.mutate({ numberId: number.id })}
            >
              <KeyRound />
              {texts.passkey}
            </Button>
          )}
        </div>
        {phone?.offered.pairingCode && <CodeForm number={number} code={phone.offered.pairingCode} />}
        <p className="mt-1 text-12 text-ink-3">
          {passkey ? texts.passkeyAsked : hint(phone, linked, offline)}
        </p>
        {phone && !linked && !passkey && !phone.offered.qr && !phone.offered.pairingCode && (
          <ButtonLink href={`/numbers/${number.id}/link`}>
            <QrCode />
            {texts.open}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

function hint(phone: Phone | undefined, linked: boolean, offline: boolean): string {
  if (!phone) return ' ';
  if (offline) return texts.offlineNow;
  if (phone.offered.qr || phone.offered.pairingCode) return texts.ready;
  return linked ? texts.linked : texts.nothing;
}

function CodeForm({ number, code }: { number: NumberItem; code: string }) {
  const { enterCode } = usePhoneActions();
  const submit = (values: FormData) =>
    enterCode.mutate({ numberId: number.id, code: String(values.get('code') ?? '') });
  return (
    <Form busy={enterCode.isPending} onSubmit={submit} className="flex gap-2">
      <Input
        name="code"
        aria-label={texts.code}
        defaultValue={code}
        autoComplete="off"
        className="font-mono uppercase"
        key={code}
      />
      <Button type="submit" busy={enterCode.isPending}>
        {texts.enter}
      </Button>
    </Form>
  );
}
