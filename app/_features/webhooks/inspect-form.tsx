import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { webhooks } from './words.ts';

const texts = webhooks.inspectDialog;

/** Makes an endpoint that shows the events of a sandbox number on its page. */
export function InspectForm({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (endpointId: string) => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const numbers = useNumbers().filter(({ network }) => network === 'sandbox');
  const [chosen, choose] = useState<string>();
  const number = numbers.find(({ id }) => id === chosen) ?? numbers[0];
  const inspect = useMutation(trpc.webhooks.inspect.mutationOptions());
  const submit = async () => {
    if (!number) return;
    const made = await inspect.mutateAsync({ numberId: number.id }).catch(() => null);
    if (!made) return;
    void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
    onMade(made.id);
  };
  return (
    <FormDialog
      onClose={onClose}
      {...texts}
      busy={inspect.isPending || inspect.isSuccess}
      error={inspect.error}
      onSubmit={submit}
    >
      <SelectField
        label={texts.number}
        value={number?.id}
        onChange={choose}
        options={numbers.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </FormDialog>
  );
}
