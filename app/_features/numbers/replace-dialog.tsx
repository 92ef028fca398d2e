import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Consequences } from '#app/_components/ui/consequences.tsx';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { common } from '#app/_components/ui/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { recipientHint, typedPhone } from '#server/core/recipient.ts';
import { cancels, numberDialogs } from './dialog-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { useKeysOf } from './use-number.ts';

const texts = numberDialogs.replace;

/** Asks for the phone that replaces the linked one, and explains the effect. */
export function ReplaceDialog({ number, onClose }: { number: NumberItem; onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { keys = [] } = useKeysOf(number.id);
  const [problem, setProblem] = useState<string | null>(null);
  const replace = useMutation(
    trpc.numbers.replacePhone.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.numbers.pathFilter());
        onClose();
        router.push(`/numbers/${number.id}/link`);
        // A page that was prefetched before does not know what was cancelled.
        router.refresh();
      },
    }),
  );
  const submit = (values: FormData) => {
    const typed = String(values.get('phone') ?? '');
    const phone = typedPhone(typed);
    // Validated first: the request asks for the password.
    setProblem(phone === null ? recipientHint('The new phone number', typed, false) : null);
    if (phone !== null) replace.mutate({ numberId: number.id, phone });
  };
  return (
    <FormDialog
      onClose={onClose}
      {...texts}
      title={texts.title(number.name)}
      leave={common.goBack}
      busy={replace.isPending}
      onSubmit={submit}
    >
      <InputField
        label={texts.phone}
        help={texts.phoneHelp}
        error={problem ?? replace.error}
        name="phone"
        inputMode="tel"
        autoComplete="off"
        placeholder="4915228817386"
        required
      />
      <Consequences
        ends={[
          ...(number.status === 'LOGGED_OUT' || number.status === 'UNLINKED'
            ? []
            : [texts.unlinks(number.phoneText ?? '')]),
          cancels(number),
          texts.pause(keys.length),
        ]}
        stays={[texts.stays]}
      />
      <p className="text-12 text-ink-3">{texts.password}</p>
    </FormDialog>
  );
}
