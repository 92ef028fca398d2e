import { ScanLine } from 'lucide-react';
import { Form } from '#app/_components/ui/form.tsx';
import Link from '#app/_components/ui/link.tsx';
import { useReadOnly } from '#app/_components/ui/read-only.ts';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { type Phone, usePhoneActions } from './use-phone.ts';
import { sandbox } from './words.ts';

const texts = sandbox.phone;

/** The phone's "Linked devices": scans a code, or accepts a typed one. */
export function LinkScreen({ number, phone }: { number: NumberItem; phone: Phone }) {
  const { drive, enterCode } = usePhoneActions();
  const readOnly = useReadOnly();
  const { qr, pairingCode } = phone.offered;
  const type = (values: FormData) =>
    enterCode.mutate({ numberId: number.id, code: String(values.get('code') ?? '') });
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h2 className="screen-line border-b px-4 pt-2 pb-2.5 text-20!">{texts.linkDevice}</h2>
      <div className="flex flex-1 flex-col items-center justify-center gap-5 px-7 text-center">
        <button
          type="button"
          disabled={!qr || drive.isPending || readOnly}
          onClick={() => drive.mutate({ numberId: number.id, phoneAction: 'scan' })}
          aria-label={sandbox.connection.scan}
          className="group relative grid size-[200px] place-items-center rounded-[28px] bg-[oklch(0.24_0.01_240)] text-white disabled:opacity-60"
        >
          <svg
            viewBox="0 0 100 100"
            aria-hidden="true"
            className="absolute inset-0"
            fill="none"
            stroke="#fff"
            strokeWidth="3"
            strokeLinecap="round"
          >
            <path d="M22 36v-8a6 6 0 0 1 6-6h8M64 22h8a6 6 0 0 1 6 6v8M78 64v8a6 6 0 0 1-6 6h-8M36 78h-8a6 6 0 0 1-6-6v-8" />
          </svg>
          <span className="flex flex-col items-center gap-1.5 text-13 font-medium">
            <ScanLine className="size-7" strokeWidth={1.5} />
            {sandbox.connection.scan}
          </span>
        </button>
        {pairingCode ? (
          <Form busy={enterCode.isPending} onSubmit={type} className="flex w-full gap-2">
            <input
              key={pairingCode}
              name="code"
              defaultValue={pairingCode}
              aria-label={sandbox.connection.code}
              autoComplete="off"
              className="h-[38px] min-w-0 flex-1 rounded-full bg-[var(--chat-in)] px-4 text-center font-mono text-[15px] uppercase shadow-[inset_0_0_0_1px_light-dark(oklch(0.9_0.005_85),transparent)] outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--chat-read)]"
            />
            <button
              type="submit"
              disabled={enterCode.isPending || readOnly}
              className="h-[38px] rounded-full bg-[var(--chat-read)] px-4 text-13 font-semibold text-[light-dark(#fff,oklch(0.2_0.03_230))]"
            >
              {sandbox.connection.enter}
            </button>
          </Form>
        ) : (
          <p className="text-13" style={{ color: 'var(--chat-meta)' }}>
            {qr ? sandbox.connection.ready : texts.notLinkedText}
          </p>
        )}
        {!qr && !pairingCode && (
          <Link
            href={`/numbers/${number.id}/link`}
            className="text-13 font-semibold text-[var(--chat-read)] hover:underline"
          >
            {sandbox.connection.open}
          </Link>
        )}
        <p className="text-12" style={{ color: 'var(--chat-meta)' }}>
          {texts.number}
          <br />
          <span className="text-[15px] font-medium tabular-nums" style={{ color: 'var(--chat-ink)' }}>
            {phone.phoneText}
          </span>
        </p>
      </div>
    </div>
  );
}
