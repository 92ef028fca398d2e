'use client';

import { Field, Input } from '#app/_components/ui/field.tsx';
import { auth } from '#app/_features/auth/words.ts';
import { account as texts } from './words.ts';

/** The password that somebody has. */
export function PresentPassword({
  name = 'current',
  label = auth.password,
  autoFocus = false,
}: {
  name?: string;
  label?: string;
  autoFocus?: boolean;
}) {
  return (
    <Field label={label}>
      {(tie) => (
        <Input
          {...tie}
          name={name}
          type="password"
          autoComplete="current-password"
          required
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}

/** A password that somebody chooses. */
export function NewPassword({ label = auth.password }: { label?: string }) {
  return (
    <Field label={label} help={auth.passwordHelp}>
      {(tie) => (
        <Input {...tie} name="password" type="password" autoComplete="new-password" required minLength={12} />
      )}
    </Field>
  );
}

/** What the authenticator app shows, or a recovery code. */
export function CodeField({
  help = texts.codeHelp,
  autoFocus = true,
}: {
  help?: string;
  autoFocus?: boolean;
}) {
  return (
    <Field label={texts.code} help={help}>
      {(tie) => (
        <Input
          {...tie}
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          maxLength={40}
          required
          autoFocus={autoFocus}
        />
      )}
    </Field>
  );
}
