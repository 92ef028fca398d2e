import { Fragment } from 'react';
import Link from '#app/_components/ui/link.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import type { PlanState } from '#server/core/access.ts';
import { requestTitle } from './request-plan.tsx';
import { plan } from './words.ts';

export type HowToPay = Outputs['account']['usage']['howToPay'];

const isEmail = (address: string) => /^[^\s@?&]+@[^\s@?&]+$/.test(address);

const texts = plan.pay;

/** `Ann Heron, ann@heron.example`; empty if nobody is named. */
export const contactIn = ({ contactName, contactAddress }: HowToPay) =>
  [contactName, contactAddress].filter((part) => part !== '').join(', ');

/**
 * The operator's payment instructions: plain text, in which only https addresses become links. `state`: of the plan, on
 * which the title of the request depends. `editable`: for an administrator, who may change it.
 */
export function PayText({ pay, state, editable }: { pay: HowToPay; state: PlanState; editable: boolean }) {
  const { text, contactName, contactAddress } = pay;
  return (
    <div className="flex flex-col gap-3 text-13">
      {text === '' ? (
        <p className="text-ink-2">{editable ? texts.noneOwn : texts.none(requestTitle(state))}</p>
      ) : (
        <>
          <Plain text={text} />
          <p className="text-12 text-ink-3">{editable ? texts.afterOwn : texts.after}</p>
        </>
      )}
      {contactAddress !== '' && (
        <p>
          {texts.contact} {contactName && `${contactName}, `}
          {isEmail(contactAddress) ? (
            <a href={`mailto:${contactAddress}`} className="text-brand-fg underline underline-offset-2">
              {contactAddress}
            </a>
          ) : (
            contactAddress
          )}
        </p>
      )}
      {editable && (
        <Link href="/admin/how-to-pay" className="self-start font-medium text-brand-fg hover:underline">
          {texts.edit}
        </Link>
      )}
    </div>
  );
}

export function Plain({ text }: { text: string }) {
  return (
    <p className="whitespace-pre-line">
      {linked(text).map(({ piece, href }, index) =>
        href ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: a text does not reorder
            key={index}
            href={href}
            target="_blank"
            rel="noreferrer noopener"
            className="text-brand-fg underline underline-offset-2"
          >
            {piece}
          </a>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={index}>{piece}</Fragment>
        ),
      )}
    </p>
  );
}

/** A text in pieces: https addresses with their links, and the text between. */
export function linked(text: string): { piece: string; href?: string }[] {
  return text
    .split(/(https:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/u)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const href = piece.startsWith('https://') && URL.canParse(piece) ? new URL(piece).href : undefined;
      return href === undefined ? { piece } : { piece, href };
    });
}
