'use client';

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTRPC } from '#app/_trpc/client.ts';
import { UserForm } from './user-form.tsx';

/**
 * Creates a user with an account, then signs them in. With the `token` of the one-time link the user becomes
 * the administrator.
 */
export function NewUserForm({
  token,
  ...form
}: {
  title: string;
  lead: ReactNode;
  submit: string;
  token?: string;
  foot?: ReactNode;
}) {
  const trpc = useTRPC();
  const signUp = useMutation(trpc.account.signUp.mutationOptions());
  const setUp = useMutation(trpc.account.setUp.mutationOptions());
  return (
    <UserForm
      {...form}
      asksName
      create={async (user) => {
        if (token === undefined) return signUp.mutateAsync(user);
        await setUp.mutateAsync({ ...user, token });
        return { mailed: false };
      }}
    />
  );
}
