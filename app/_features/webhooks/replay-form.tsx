import { useMutation } from '@tanstack/react-query';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { webhooks } from './words.ts';

const texts = webhooks.replayDialog;
const HOUR_MS = 3_600_000;

/** Sends everything since a time again. */
export function ReplayForm({ endpointId, onClose }: { endpointId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const replay = useMutation(trpc.webhooks.replaySince.mutationOptions());
  const submit = async (values: FormData) => {
    const since = new Date(String(values.get('since'))).toISOString();
    const answer = await replay.mutateAsync({ endpointId, since }).catch(() => null);
    if (!answer) return;
    void refresh(trpc.webhooks.pathFilter());
    done(texts.done(answer.events));
    onClose();
  };
  return (
    <FormDialog onClose={onClose} {...texts} busy={replay.isPending} error={replay.error} onSubmit={submit}>
      <InputField
        label={texts.since}
        name="since"
        type="datetime-local"
        required
        max={localTime(new Date())}
        defaultValue={localTime(new Date(Date.now() - HOUR_MS))}
      />
    </FormDialog>
  );
}

/** As `datetime-local` takes it: in the viewer's zone, to the minute. */
function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
