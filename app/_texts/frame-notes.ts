/** Apart from the frame of every page, which shows these seldom. */
export const frameNotes = {
  view: {
    label: 'View of another account',
    whose: (name: string) => `You look at ${name}.`,
    means: 'Read only: changes are off.',
    logged: 'When this view began and ended is in the audit log.',
    end: 'End the view',
  },
  ended: {
    account_deleted: {
      title: (name: string) => `${name} was deleted`,
      text: 'Its phones are unlinked, its keys end, and nothing that waited is sent. Who had only this account is signed out.',
    },
    left_account: {
      title: (name: string) => `You are no longer in ${name}`,
      text: 'An owner removed you. Its numbers go on without you; ask an owner to invite you again if that was a mistake.',
    },
    do: 'Go on',
  },
} as const;
