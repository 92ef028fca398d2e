/** Separate from the words of the frame, because these are rarely shown. */
export const frameNotes = {
  view: {
    label: 'View of another account',
    whose: (name: string) => `You are viewing ${name}.`,
    means: 'Read only: you cannot change anything.',
    logged: 'The audit log records when this view starts and ends.',
    end: 'End the view',
  },
  signedOut: {
    title: 'You are signed out',
    text: (email: string) =>
      `Sign in as ${email} in another tab, then return to this one. What you entered here is kept.`,
    leave: 'Leave this page',
    do: 'Sign in',
  },
  ended: {
    account_deleted: {
      title: (name: string) => `${name} was deleted`,
      text: 'Its phones are unlinked, its keys no longer work, and waiting messages are not sent. Users without another account are signed out.',
    },
    left_account: {
      title: (name: string) => `You are no longer in ${name}`,
      text: 'An owner removed you. If that was a mistake, ask an owner to invite you again.',
    },
    do: 'Continue',
  },
} as const;
