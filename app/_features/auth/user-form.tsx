import { type ReactNode, useState } from 'react';
import { InputField } from '#app/_components/ui/input-field.tsx';
import { NewPassword } from '#app/_features/account/password-fields.tsx';
import { errorsAt } from '#app/_trpc/errors-at.ts';
import { AuthForm } from './auth-form.tsx';
import { CheckMail } from './check-mail.tsx';
import { signInWith } from './sign-in-with.ts';
import { auth } from './words.ts';

/** The input of a new user. */
export interface NewUser {
  email: string;
  password: string;
  /** Empty if the form does not ask for one. */
  accountName: string;
}

/** Asks for a new user's data, creates the user with `create`, and signs them in. */
export function UserForm({
  title,
  lead,
  submit,
  foot,
  asksName,
  create,
  next = () => '/',
  notSignedIn = '/sign-in?created=account',
}: {
  title: string;
  lead: ReactNode;
  submit: string;
  foot?: ReactNode;
  /** The user gets a new account, which needs a name. */
  asksName: boolean;
  /** `mailed`: the user is created when they open the mailed link. */
  create: (user: NewUser) => Promise<{ mailed: boolean } | undefined>;
  /** The page to open after the sign-in. */
  next?: () => string;
  /** The page to open if the sign-in failed. */
  notSignedIn?: string;
}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** The address to which the link was mailed. */
  const [asked, setAsked] = useState<NewUser>();
  const [corrects, setCorrects] = useState<NewUser>();
  const { above, at } = errorsAt(error, ['accountName', 'email', 'password']);
  const send = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const user = { email: text('email'), password: text('password'), accountName: text('accountName') };
    setBusy(true);
    setError(undefined);
    try {
      const made = await create(user);
      if (made?.mailed) {
        setBusy(false);
        setAsked(user);
        return;
      }
    } catch (failure) {
      setError(failure);
      setBusy(false);
      return;
    }
    // The user exists now. If the sign-in fails, the sign-in page offers to retry.
    if (await signInWith(user, next())) window.location.assign(notSignedIn);
  };
  if (asked)
    return (
      <CheckMail
        email={asked.email}
        mailAgain={() => create(asked)}
        onCorrect={() => {
          setCorrects(asked);
          setAsked(undefined);
        }}
      />
    );
  return (
    <AuthForm title={title} lead={lead} submit={submit} busy={busy} error={above} onSubmit={send} foot={foot}>
      {asksName && (
        <InputField
          label={auth.signUp.account}
          help={auth.signUp.accountHelp}
          error={at.accountName}
          name="accountName"
          autoComplete="organization"
          defaultValue={corrects?.accountName}
          required
          maxLength={100}
          autoFocus={corrects === undefined}
        />
      )}
      <InputField
        label={auth.email}
        error={at.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        defaultValue={corrects?.email}
        autoFocus={!asksName || corrects !== undefined}
      />
      <NewPassword error={at.password} />
    </AuthForm>
  );
}
