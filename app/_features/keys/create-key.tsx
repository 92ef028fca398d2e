import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { NumberGlyph } from '#app/_components/ui/states.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { signOf } from '#server/core/number-sign.ts';
import { keyDialogs } from './dialog-words.ts';
import { type Made, ShownOnce } from './shown-once.tsx';

const EXPIRY_DAYS = { never: null, d30: 30, d90: 90, d365: 365 } as const;
type Expiry = keyof typeof EXPIRY_DAYS;

/** Asks for the key's data, then shows the key, once. */
export function CreateKey({ numberId, onClose }: { numberId: string | null; onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <ShownOnce made={made} onClose={onClose} />;
  return <CreateForm numberId={numberId} onClose={onClose} onMade={setMade} />;
}

function CreateForm({
  numberId: wanted,
  onClose,
  onMade,
}: {
  numberId: string | null;
  onClose: () => void;
  onMade: (made: Made) => void;
}) {
  const texts = keyDialogs.create;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const numbers = useNumbers();
  const [numberId, setNumberId] = useState(
    numbers.some(({ id }) => id === wanted) ? (wanted ?? undefined) : numbers[0]?.id,
  );
  const [expiry, setExpiry] = useState<Expiry>('never');
  // The key must not stay in the query cache after the dialog.
  const create = useMutation(trpc.keys.create.mutationOptions({ gcTime: 0 }));
  const submit = async (values: FormData) => {
    const number = numbers.find(({ id }) => id === numberId);
    if (!number) return;
    const name = String(values.get('name') ?? '');
    const days = EXPIRY_DAYS[expiry];
    const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString();
    const answer = await create.mutateAsync({ numberId: number.id, name, expiresAt }).catch(() => null);
    if (!answer) return;
    void queryClient.invalidateQueries(trpc.keys.pathFilter());
    void queryClient.invalidateQueries(trpc.account.pathFilter());
    onMade({ name: name.trim() || 'API key', key: answer.key, numberName: number.name, expiresAt });
    create.reset();
  };
  return (
    <FormDialog onClose={onClose} {...texts} busy={create.isPending} error={create.error} onSubmit={submit}>
      <SelectField
        label={texts.number}
        value={numberId}
        onChange={setNumberId}
        options={numbers.map((number) => ({
          value: number.id,
          label: (
            <span className="flex items-center gap-2">
              <NumberGlyph sign={signOf(number)} />
              {number.name}
            </span>
          ),
        }))}
      />
      <InputField
        label={texts.name}
        help={texts.nameHelp}
        name="name"
        maxLength={100}
        autoComplete="off"
        autoFocus
      />
      <SelectField
        label={texts.expires}
        value={expiry}
        onChange={setExpiry}
        options={(Object.keys(EXPIRY_DAYS) as Expiry[]).map((value) => ({
          value,
          label: texts.expiry[value],
        }))}
      />
    </FormDialog>
  );
}
