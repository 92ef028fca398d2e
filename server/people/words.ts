/** Sentences that several use cases of users and sign-in share. Others are beside their rule. */
export const WORDS = {
  noUser: (email: string): string => `No user has the e-mail address ${email.trim()}.`,
  secondFactorOn: 'A second factor is already on. Switch it off first.',
  signUpClosed: 'Sign-up is closed. Ask the administrator for an account.',
} as const;
