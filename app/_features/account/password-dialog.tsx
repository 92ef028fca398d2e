import { useMutation } from '@tanstack/react-query';
import { FormDialog } from '#app/_components/ui/form-dialog.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useAsking } from '#app/_components/ui/still-waiting.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { CodeField, PresentPassword } from './password-fields.tsx';
import { account } from './words.ts';

const texts = account.confirm;

/** Asks for the password; `onClose` gets whether it was confirmed. */
export default function PasswordDialog({ onClose }: { onClose: (typed: boolean) => void }) {
  const trpc = useTRPC();
  const confirm = useMutation(trpc.user.confirmPassword.mutationOptions());
  useAsking(!confirm.isPending);
  const send = (values: FormData) => {
    const code = values.get('code');
    confirm.mutate(
      { password: String(values.get('current')), ...(code === null ? {} : { code: String(code) }) },
      { onSuccess: () => onClose(true) },
    );
  };
  const wantsCode = confirm.error?.data?.appCode === 'second_factor';
  return (
    <FormDialog onClose={() => onClose(false)} {...texts} busy={confirm.isPending} onSubmit={send}>
      {confirm.error && (
        <Note tone={wantsCode ? 'wait' : 'fail'} assertive>
          {sentenceOf(confirm.error)}
        </Note>
      )}
      <PresentPassword autoFocus />
      {wantsCode && <CodeField />}
    </FormDialog>
  );
}
