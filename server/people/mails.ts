import type { Mail } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';

// What is mailed about signing up and signing in.

interface SignedUp {
  email: string;
  /** Null when the sign-up was not by an invitation. */
  invitationHash: string | null;
}

/** To an address that nobody has, after a sign-up. */
export function signUpMail({ email, invitationHash }: SignedUp, link: string): Mail {
  const what = invitationHash === null ? 'for a new account' : 'through an invitation';
  return {
    to: email,
    subject: 'Confirm your email address for Wirebird',
    letter: {
      title: 'Confirm your email address',
      paragraphs: [
        `Somebody, probably you, signed up with this address ${what} at ${settings.publicUrl}.`,
        'Open the link within 24 hours and enter the password that you chose.',
      ],
      button: { label: 'Confirm your address', href: link },
      foot: 'If it was not you, do nothing. No account is created.',
    },
  };
}

/** To the address of a user, after a sign-up. */
export function signUpOfUserMail({ email, invitationHash }: SignedUp): Mail {
  const then = invitationHash === null ? [] : ['Then open your invitation again.'];
  return {
    to: email,
    subject: 'You are already registered with Wirebird',
    letter: {
      title: 'You are already registered',
      paragraphs: [
        `Somebody, probably you, signed up with this address at ${settings.publicUrl}. It is already registered.`,
        'Sign in with your password.',
        ...then,
        `If you forgot the password, set a new one:\n${settings.publicUrl}/forgot`,
      ],
      button: { label: 'Sign in', href: `${settings.publicUrl}/sign-in` },
      foot: 'If it was not you, do nothing: nothing has changed.',
    },
  };
}

/** To a person who asked for a new password. */
export function resetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Set a new password for Wirebird',
    letter: {
      title: 'Set a new password',
      paragraphs: [
        `Somebody, probably you, asked for a new password at ${settings.publicUrl}.`,
        'The link works once, within 30 minutes.',
      ],
      button: { label: 'Set a new password', href: link },
      foot: 'If it was not you, do nothing: your password does not change.',
    },
  };
}

/** To a user, after repeated attempts with a wrong password, or with wrong codes after the right password. */
export function attemptsMail(to: string, at: 'password' | 'code', address: string | null): Mail {
  const from = address === null ? '' : ` The last attempt came from ${address}.`;
  const forgot = { label: 'Set a new password', href: `${settings.publicUrl}/forgot` };
  if (at === 'code') {
    const title = 'Somebody knows your Wirebird password';
    const paragraphs = [
      `Somebody entered your correct password at ${settings.publicUrl} and several wrong codes.${from}`,
      'Two-factor authentication has kept them out. Wirebird makes them wait longer after each attempt.',
    ];
    const todo = 'If it was not you, somebody knows your password. Set a new one now.';
    return { to, subject: title, letter: { title, paragraphs, todo, button: forgot } };
  }
  const title = 'Somebody is trying to sign in to Wirebird as you';
  const paragraphs = [
    `Somebody repeatedly entered wrong passwords for your user at ${settings.publicUrl}.${from}`,
    'Wirebird makes them wait longer after each attempt. In browsers where you signed in before, you can still sign in.',
  ];
  const todo = `If you forgot your password, set a new one. To be safer, turn on two-factor authentication at ${settings.publicUrl}/account.`;
  return { to, subject: title, letter: { title, paragraphs, todo, button: forgot } };
}
