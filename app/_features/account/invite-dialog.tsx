import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Segments } from '#app/_components/ui/choice.tsx';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { LinkDialog } from '#app/_components/ui/link-dialog.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { people } from './people-words.ts';

const ROLES = (['member', 'owner'] as const).map((value) => ({ value, label: people.roles[value] }));

/** Asks for the role, then shows the link, once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const texts = people.inviteDialog;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [role, setRole] = useState<'member' | 'owner'>('member');
  const invite = useMutation(
    // The link must not stay in the query cache after the dialog.
    trpc.people.invite.mutationOptions({
      gcTime: 0,
      onSuccess: () => queryClient.invalidateQueries({ queryKey: trpc.people.invitations.queryKey() }),
    }),
  );
  if (invite.data) return <LinkDialog {...people.link} link={invite.data.link} onClose={onClose} />;
  return (
    <FormDialog
      onClose={onClose}
      {...texts}
      busy={invite.isPending}
      error={invite.error}
      onSubmit={(values) => invite.mutate({ role, note: String(values.get('note') ?? '') })}
    >
      <InputField
        label={texts.note}
        help={texts.noteHelp}
        name="note"
        maxLength={100}
        autoComplete="off"
        autoFocus
      />
      <div className="flex flex-col items-start gap-1.5">
        <span className="text-13 font-medium" aria-hidden="true">
          {texts.role}
        </span>
        <Segments value={role} onChange={setRole} options={ROLES} label={texts.role} />
      </div>
      <p className="text-12 text-ink-3">{people.rolesHelp}</p>
    </FormDialog>
  );
}
