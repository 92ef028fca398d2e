import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import type { AccountSettings } from './account-settings.ts';
import { OwnerForm } from './owner-form.tsx';
import { account } from './words.ts';

const texts = account.settings;

export function RenameForm({ settings, owner }: { settings: AccountSettings; owner: boolean }) {
  const trpc = useTRPC();
  const { done } = useFeedback();
  const router = useRouter();
  const queryClient = useQueryClient();
  const rename = useMutation(
    trpc.account.rename.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.account.settings.queryKey(), saved);
        done(texts.renamed);
        // The frame takes the name from the server's render.
        router.refresh();
      },
    }),
  );
  return (
    <OwnerForm
      owner={owner}
      busy={rename.isPending}
      submit={texts.rename}
      onSubmit={(values) => rename.mutate({ name: String(values.get('name')) })}
    >
      <InputField
        label={texts.name}
        help={texts.nameHelp}
        error={rename.error}
        name="name"
        required
        maxLength={100}
        defaultValue={settings.name}
        disabled={!owner}
        autoComplete="organization"
      />
    </OwnerForm>
  );
}
