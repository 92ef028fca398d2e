import { useRouter } from 'next/navigation';
import { ConfirmDialog } from '#app/_components/ui/confirm.tsx';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { numberDialogs as texts } from './dialog-words.ts';
import { newNumber } from './new-number-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { ReplaceDialog } from './replace-dialog.tsx';
import { useKeysOf, useNumberActions } from './use-number.ts';

interface Opened {
  number: NumberItem;
  onClose: () => void;
}

const DIALOGS = { rename: RenameDialog, replace: ReplaceDialog, unlink: UnlinkDialog, remove: RemoveDialog };
export type NumberAction = keyof typeof DIALOGS;

/** The dialogs of a number's menu. */
export function NumberDialogs({ open, ...opened }: Opened & { open: NumberAction }) {
  const Dialog = DIALOGS[open];
  return <Dialog {...opened} />;
}

function RenameDialog({ number, onClose }: Opened) {
  const { setLabel } = useNumberActions();
  const submit = (values: FormData) =>
    setLabel.mutate(
      { numberId: number.id, label: String(values.get('label') ?? '') },
      { onSuccess: onClose },
    );
  return (
    <FormDialog onClose={onClose} {...texts.rename} busy={setLabel.isPending} onSubmit={submit}>
      <InputField
        label={newNumber.label}
        help={newNumber.labelHelp}
        error={setLabel.error}
        name="label"
        defaultValue={number.label}
        maxLength={100}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function UnlinkDialog({ number, onClose }: Opened) {
  const router = useRouter();
  const { unlink } = useNumberActions();
  const { keys = [] } = useKeysOf(number.id);
  return (
    <ConfirmDialog
      onClose={onClose}
      {...texts.unlink(number, keys.length)}
      onConfirm={async () => {
        await unlink.mutateAsync({ numberId: number.id });
        // The page is rendered again with what was cancelled.
        router.refresh();
      }}
    />
  );
}

function RemoveDialog({ number, onClose }: Opened) {
  const router = useRouter();
  const { remove } = useNumberActions();
  const { keys = [] } = useKeysOf(number.id);
  return (
    <ConfirmDialog
      onClose={onClose}
      {...texts.remove(number, keys.length)}
      onConfirm={async () => {
        router.prefetch('/numbers');
        await remove.mutateAsync({ numberId: number.id });
        router.push('/numbers');
      }}
    />
  );
}
