import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { useNumberActions } from '#app/_features/numbers/use-number.ts';
import type { Linking } from './linking.ts';
import { linking as texts } from './words.ts';

/** The pairing code, or the form for the phone number that it needs. */
export function PairingPanel({
  number,
  linking,
  before,
}: {
  number: NumberItem;
  linking: Linking | undefined;
  /** What the user must do before requesting a code. */
  before?: () => Promise<unknown>;
}) {
  const code = linking?.pairingCode;
  const [asking, setAsking] = useState(false);
  if (!code || asking)
    return <PairingForm number={number} before={before} onAsked={() => setAsking(false)} />;
  return (
    <div className="my-[18px] w-full">
      <PairingCode code={code} />
      <CopyButton text={code} label={texts.pairing.copy} size="medium" className="mt-3 w-full">
        {texts.pairing.copy}
      </CopyButton>
      <p className="mt-3 text-center text-13 text-ink-2">
        {texts.pairing.help}{' '}
        <button
          type="button"
          className="font-medium text-brand-fg hover:underline"
          onClick={() => setAsking(true)}
        >
          {texts.pairing.another}
        </button>
      </p>
    </div>
  );
}

export function PairingCode({
  code,
  label = texts.pairing.codeLabel,
}: {
  code: string;
  label?: (code: string) => string;
}) {
  const letters = [...code.replace(/[^0-9A-Za-z]/g, '')];
  const half = Math.ceil(letters.length / 2);
  return (
    <div
      role="img"
      aria-label={label(letters.join(''))}
      className="flex items-center justify-between gap-1 font-mono text-16 font-semibold"
    >
      {letters.map((letter, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a letter's place is what it is
        <span key={index} className="contents">
          {index === half && <span className="mx-0.5 h-[1.5px] w-2 shrink-0 bg-ink-3" />}
          <span className="grid h-11 flex-1 place-items-center rounded-2 border border-line-strong bg-raised">
            {letter}
          </span>
        </span>
      ))}
    </div>
  );
}

function PairingForm({
  number,
  before,
  onAsked,
}: {
  number: NumberItem;
  before: (() => Promise<unknown>) | undefined;
  onAsked: () => void;
}) {
  const { openLinking } = useNumberActions();
  const known = number.replacementPhone ?? number.phoneNumber ?? number.sandboxPhone ?? '';
  const submit = async (values: FormData) => {
    const phone = String(values.get('phone') ?? '').trim();
    await before?.();
    openLinking.mutate({ numberId: number.id, pairingPhone: phone }, { onSuccess: onAsked });
  };
  return (
    <Form busy={openLinking.isPending} onSubmit={submit} className="my-[18px] flex w-full flex-col gap-3">
      <InputField
        label={texts.pairing.phone}
        help={texts.pairing.phoneHelp}
        error={openLinking.error}
        name="phone"
        inputMode="numeric"
        autoComplete="tel"
        defaultValue={known}
        placeholder="4915228817386"
        required
      />
      <Button type="submit" variant="primary" busy={openLinking.isPending}>
        {texts.pairing.submit}
      </Button>
    </Form>
  );
}
