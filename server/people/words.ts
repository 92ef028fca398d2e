/** Sentences that several use cases of users and sign-in share. Others are beside their rule. */
export const WORDS = {
  noUser: (email: string): string => `No user has the email address ${email.trim()}.`,
  secondFactorOn: 'Two-factor authentication is already on. Turn it off first.',
  signUpClosed: 'Sign-up is closed. Ask the administrator for an account.',
} as const;
