export const people = {
  title: 'Members',
  lead: (account: string) => `Who can open ${account}, and what they can do.`,
  roles: { owner: 'Owner', member: 'Member' },
  rolesHelp:
    'Members send messages and manage numbers and keys. Owners also manage members, the plan, export and deletion.',
  you: 'You',
  since: 'Since',
  actions: (email: string) => `Actions for ${email}`,
  makeOwner: 'Make owner',
  makeMember: 'Make member',
  changed: (email: string, role: string) => `${email} is now ${role}`,
  remove: 'Remove from the account',
  removeDialog: (email: string) => ({
    title: `Remove ${email}?`,
    text: 'This takes effect immediately.',
    ends: [
      'They lose access to this account at once. Their open pages close',
      'Invitations they created stop working',
    ],
    stays: [
      'Keys they created keep working. Revoke the keys they know',
      'They keep their sign-in and their other accounts',
    ],
    keep: 'Cancel',
    submit: 'Remove',
    done: `${email} is removed`,
  }),

  invitations: 'Pending invitations',
  noInvitations: 'No pending invitations.',
  until: 'Expires',
  withdraw: 'Withdraw',
  withdrawn: 'The invitation is withdrawn',
  unnamed: 'No note',

  invite: 'Invite',
  inviteDialog: {
    title: 'Invite a member',
    text: 'Create a link and send it to the person. It works once, within 7 days, even if they have not signed up yet.',
    role: 'Role',
    note: 'Who is it for?',
    noteHelp: 'Shown only in this list.',
    submit: 'Create link',
  },
  link: {
    title: 'Invitation link',
    text: 'Send it to one person over a channel you trust. The first person who uses it joins. It is shown only now.',
    copy: 'Copy the link',
    close: 'Done',
  },

  join: {
    title: (account: string) => `Join ${account}`,
    opening: 'Opening the invitation…',
    lead: (role: 'owner' | 'member') =>
      role === 'owner' ? 'You are invited as an owner.' : 'You are invited as a member.',
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    submit: 'Join the account',
    signUp: 'Sign up and join',
    haveUser: 'Already signed up?',
    signIn: 'Sign in, then open this link again',
    notThis: 'Not you? Sign out, then open this link again.',
    usedTitle: 'This invitation does not work',
    toStart: 'Go to the overview',
    toSignIn: 'Go to sign-in',
  },
} as const;
