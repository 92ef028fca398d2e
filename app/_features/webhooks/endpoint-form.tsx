import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Checkbox } from '#app/_components/ui/choice.tsx';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { errorsAt } from '#app/_trpc/errors-at.ts';
import { EVENT_TYPES, type EventType } from '#server/core/webhooks/events.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import type { Endpoint } from './endpoint-state.tsx';
import { SecretOnce } from './secret-once.tsx';
import { webhooks } from './words.ts';

const texts = webhooks.form;
const EVERY = 'every';

/** Adds an endpoint and shows its secret, or changes one. */
export function EndpointForm({
  endpoint: current,
  onClose,
  onMade,
}: {
  endpoint?: Endpoint;
  onClose: () => void;
  onMade?: (endpointId: string) => void;
}) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const numbers = useNumbers();
  // As it was when the dialog opened: only what is changed here is saved, as a colleague may change the rest.
  const [endpoint] = useState(current);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  const [numberId, setNumberId] = useState(EVERY);
  const [events, setEvents] = useState<readonly EventType[]>(endpoint?.events ?? EVENT_TYPES);
  // The secret must not stay in the query cache after the dialog.
  const create = useMutation(trpc.webhooks.create.mutationOptions({ gcTime: 0 }));
  const change = useMutation(trpc.webhooks.change.mutationOptions());
  const { above, at } = errorsAt(create.error ?? change.error, ['url']);
  if (made) return <SecretOnce secret={made.secret} onClose={() => onMade?.(made.id)} />;
  const submit = async (values: FormData) => {
    const url = String(values.get('url') ?? '');
    const wanted = EVENT_TYPES.filter((type) => events.includes(type));
    const done = endpoint
      ? await change
          .mutateAsync({
            endpointId: endpoint.id,
            ...(EVENT_TYPES.some((type) => events.includes(type) !== endpoint.events.includes(type)) && {
              events: wanted,
            }),
            ...(values.has('url') && url !== endpoint.url && { url }),
          })
          .then(() => null)
          .catch(() => undefined)
      : await create
          .mutateAsync({ numberId: numberId === EVERY ? null : numberId, url, events: wanted })
          .catch(() => undefined);
    if (done === undefined) return;
    void queryClient.invalidateQueries(trpc.webhooks.pathFilter());
    create.reset();
    if (done === null) onClose();
    else setMade(done);
  };
  return (
    <FormDialog
      onClose={onClose}
      title={endpoint ? texts.change : texts.create}
      {...(!endpoint && { text: texts.createText })}
      submit={endpoint ? texts.save : texts.submit}
      busy={create.isPending || change.isPending}
      error={above}
      onSubmit={submit}
    >
      {endpoint?.url !== INSPECT_URL && (
        <InputField
          label={texts.url}
          help={texts.urlHelp}
          error={at.url}
          name="url"
          type="url"
          required
          maxLength={2048}
          defaultValue={endpoint?.url ?? ''}
          placeholder="https://"
          autoComplete="off"
          autoFocus
        />
      )}
      {!endpoint && (
        <SelectField
          label={texts.number}
          {...(numberId !== EVERY && { help: texts.numberHelp })}
          value={numberId}
          onChange={setNumberId}
          options={[
            { value: EVERY, label: webhooks.every },
            ...numbers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-13 font-medium">{texts.events}</legend>
        <div className="grid grid-cols-2 gap-2">
          {EVENT_TYPES.map((type) => (
            <Checkbox
              key={type}
              checked={events.includes(type)}
              onChange={(on) => setEvents(on ? [...events, type] : events.filter((one) => one !== type))}
            >
              {webhooks.events[type]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}
