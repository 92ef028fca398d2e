import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ScanLine, Smartphone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardHead } from '#app/_components/ui/card.tsx';
import { Segments } from '#app/_components/ui/choice.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import type { Way } from './linking.ts';
import { CodeDrawing, DeviceDrawing, MenuDrawing, ScanDrawing } from './phone-drawings.tsx';
import { linking } from './words.ts';

type Kind = 'android' | 'iphone';

/** The steps on the phone, with a drawing of each. */
export function PhoneCard({ number, way, codeReady }: { number: NumberItem; way: Way; codeReady: boolean }) {
  if (number.network === 'sandbox') return <SandboxCard number={number} codeReady={codeReady} way={way} />;
  return <RealPhoneCard way={way} />;
}

function RealPhoneCard({ way }: { way: Way }) {
  const texts = linking.phone;
  const [kind, setKind] = useState<Kind>('android');
  const [openText, openWord] = kind === 'android' ? texts.openAndroid : texts.openIphone;
  return (
    <Card className="flex flex-col">
      <CardHead title={texts.title}>
        <Segments
          label={texts.label}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'android', label: texts.android },
            { value: 'iphone', label: texts.iphone },
          ]}
        />
      </CardHead>
      <ol className="grid gap-3.5 px-4 pt-4 pb-[18px] md:grid-cols-3 md:gap-3">
        <Step drawing={<MenuDrawing kind={kind} />} title={texts.open}>
          {openText}
          <em className="font-medium text-ink not-italic">{openWord}</em>
        </Step>
        <Step drawing={<DeviceDrawing />} title={texts.device}>
          {texts.deviceText}
        </Step>
        {way === 'qr' ? (
          <Step drawing={<ScanDrawing />} title={texts.scan}>
            {texts.scanText}
          </Step>
        ) : (
          <Step drawing={<CodeDrawing />} title={texts.enter}>
            {texts.enterText[0]}
            <em className="font-medium text-ink not-italic">{texts.enterText[1]}</em>
            {texts.enterText[2]}
          </Step>
        )}
      </ol>
    </Card>
  );
}

function Step({ drawing, title, children }: { drawing: ReactNode; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3 max-md:items-center md:flex-col">
      {drawing}
      <div>
        <b className="block text-13 font-semibold">{title}</b>
        <span className="mt-0.5 block text-13 leading-[18px] text-ink-2">{children}</span>
      </div>
    </li>
  );
}

function SandboxCard({ number, codeReady, way }: { number: NumberItem; codeReady: boolean; way: Way }) {
  const texts = linking.sandbox;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const scan = useMutation(
    trpc.sandbox.drive.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.numbers.pathFilter()),
    }),
  );
  return (
    <Card className="flex flex-col">
      <CardHead title={texts.title} />
      <div className="flex flex-1 flex-col items-center justify-center gap-4 p-6 text-center">
        <span className="grid size-14 place-items-center rounded-5 border border-line bg-sunken text-ink-3">
          <Smartphone className="size-7" strokeWidth={1.5} />
        </span>
        <p className="max-w-[44ch] text-ink-2">{texts.text}</p>
        <Failure error={scan.error} assertive />
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink href={`/sandbox/${number.id}`}>{texts.open}</ButtonLink>
          {way === 'qr' && (
            <Button
              variant={codeReady ? 'primary' : 'plain'}
              disabled={!codeReady}
              busy={scan.isPending}
              onClick={() => scan.mutate({ numberId: number.id, phoneAction: 'scan' })}
            >
              <ScanLine />
              {texts.scan}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}
