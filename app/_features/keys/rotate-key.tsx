import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { SelectField } from '#app/_components/ui/select-field.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { keyDialogs } from './dialog-words.ts';
import { type Made, ShownOnce } from './shown-once.tsx';

const OVERLAP_HOURS = { none: 0, hour: 1, day: 24, week: 168, month: 720 } as const;
type Overlap = keyof typeof OVERLAP_HOURS;

/** Replaces a key; the old one keeps working during the overlap. */
export function RotateKey({
  item,
  numberName,
  onClose,
}: {
  item: { id: string; name: string };
  numberName: string;
  onClose: () => void;
}) {
  const texts = keyDialogs.rotate;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [made, setMade] = useState<Made | null>(null);
  const [overlap, setOverlap] = useState<Overlap>('day');
  // The key must not stay in the query cache after the dialog.
  const rotate = useMutation(trpc.keys.rotate.mutationOptions({ gcTime: 0 }));
  if (made) return <ShownOnce made={made} onClose={onClose} />;
  const submit = async () => {
    const overlapHours = OVERLAP_HOURS[overlap];
    const answer = await rotate.mutateAsync({ keyId: item.id, overlapHours }).catch(() => null);
    if (!answer) return;
    void queryClient.invalidateQueries(trpc.keys.pathFilter());
    setMade({ name: item.name, key: answer.key, numberName, expiresAt: null, oldUntil: answer.oldExpiresAt });
    rotate.reset();
  };
  return (
    <FormDialog
      onClose={onClose}
      {...texts}
      title={texts.title(item.name)}
      busy={rotate.isPending}
      error={rotate.error}
      onSubmit={submit}
    >
      <SelectField
        label={texts.overlap}
        help={texts.overlapHelp}
        value={overlap}
        onChange={setOverlap}
        options={(Object.keys(OVERLAP_HOURS) as Overlap[]).map((value) => ({
          value,
          label: texts.overlaps[value],
        }))}
      />
    </FormDialog>
  );
}
