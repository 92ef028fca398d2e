import { Field } from '#app/_components/ui/field.tsx';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { PasswordInput } from '#app/_components/ui/password-input.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { account as texts } from './words.ts';

export function PresentPassword({
  name = 'current',
  label = auth.password,
  autoFocus = false,
  error,
}: {
  name?: string;
  label?: string;
  autoFocus?: boolean;
  error?: unknown;
}) {
  return (
    <Field label={label} error={error}>
      {(tie) => (
        <PasswordInput {...tie} name={name} autoComplete="current-password" required autoFocus={autoFocus} />
      )}
    </Field>
  );
}

/** A new password. */
export function NewPassword({ label = auth.password, error }: { label?: string; error?: unknown }) {
  return (
    <Field label={label} help={auth.passwordHelp} error={error}>
      {(tie) => (
        <PasswordInput {...tie} name="password" autoComplete="new-password" required minLength={12} />
      )}
    </Field>
  );
}

/** A code from the authenticator app, or a recovery code. */
export function CodeField({
  help = texts.codeHelp,
  autoFocus = true,
}: {
  help?: string;
  autoFocus?: boolean;
}) {
  return (
    <InputField
      label={texts.code}
      help={help}
      name="code"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={40}
      required
      autoFocus={autoFocus}
    />
  );
}
