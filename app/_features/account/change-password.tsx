'use client';

import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Form } from '#app/_components/ui/form.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { errorsAt } from '#app/_trpc/errors-at.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { CodeField, NewPassword, PresentPassword } from './password-fields.tsx';
import { account } from './words.ts';

const texts = account.password;

export function ChangePassword() {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation(
    trpc.user.changePassword.mutationOptions({
      onSuccess: () => {
        form.current?.reset();
        done(texts.done, texts.doneText);
        return refresh({ queryKey: trpc.user.pathKey() });
      },
    }),
  );
  const wantsCode = change.error?.data?.appCode === 'second_factor';
  const { above, at } = errorsAt(change.error, ['current', 'password']);
  const send = (values: FormData) => {
    const code = values.get('code');
    change.mutate({
      current: String(values.get('current')),
      password: String(values.get('password')),
      ...(code === null ? {} : { code: String(code) }),
    });
  };
  return (
    <Section title={texts.title}>
      <Card className="p-4">
        <Form
          ref={form}
          busy={change.isPending}
          onSubmit={send}
          className="flex max-w-[380px] flex-col gap-4"
        >
          {!!above && (
            <Note tone={wantsCode ? 'wait' : 'fail'} assertive>
              {sentenceOf(above)}
            </Note>
          )}
          <PresentPassword label={texts.current} error={at.current} />
          <NewPassword label={texts.next} error={at.password} />
          {wantsCode && <CodeField />}
          <Button type="submit" busy={change.isPending} className="self-start">
            {texts.submit}
          </Button>
        </Form>
      </Card>
    </Section>
  );
}
