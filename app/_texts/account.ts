export const account = {
  title: 'Your account',
  lead: 'How you sign in, and where you are signed in.',

  tabs: { label: 'Your account', you: 'You', settings: 'Account', people: 'People', plan: 'Plan and usage' },

  profile: {
    title: 'Who you are here',
    emailHelp: 'You sign in with this address, and mails go there.',
    account: 'Account',
    role: 'Your role',
    roles: { owner: 'Owner', member: 'Member' },
    administrator: 'Administrator of this Wirebird',
  },

  settings: {
    title: 'Account settings',
    lead: (name: string) => `What holds for everybody in ${name}.`,
    nameTitle: 'Name',
    name: 'Company or project',
    nameHelp: 'Shown in the dashboard and in mails. Recipients never see it.',
    rename: 'Save the name',
    renamed: 'The account has its new name',
    ownerOnly: 'Only an owner of this account changes this.',
  },

  timeZone: {
    title: 'Time zone',
    lead: 'Mails about this account tell times in it, and its months begin in it. Pages show times in the zone of the device that you look with.',
    chosen: 'Chosen for this account',
    inherited: 'As this Wirebird, because none was chosen',
    now: (time: string) => `Now ${time}`,
    change: 'Change the time zone',
    reset: (zone: string) => `As this Wirebird: ${zone}`,
    search: 'City, country or offset',
    dialog: 'Choose a time zone',
    none: 'No time zone matches. Try the largest city nearby.',
    done: (zone: string) => `Times are now shown in ${zone}`,
  },

  confirm: {
    title: 'Type your password again',
    lead: 'What you are about to do is protected, and you signed in a while ago.',
    submit: 'Go on',
    cancelled: 'Nothing was changed.',
  },

  password: {
    title: 'Password',
    current: 'Present password',
    next: 'New password',
    submit: 'Change password',
    done: 'Your password is changed',
    doneText: 'You are signed out everywhere else.',
  },

  code: 'Code',
  codeHelp: 'From your authenticator app, or a recovery code.',

  second: {
    title: 'Second factor',
    off: 'Off',
    on: 'On',
    leadOff: 'With an authenticator app on your telephone, a stolen password alone does not let anybody in.',
    leadRequired: 'As an administrator you need one here before you can do anything else.',
    leadOn: (codes: number) =>
      codes === 1 ? 'You have 1 recovery code left.' : `You have ${codes} recovery codes left.`,
    begin: 'Switch on',
    scan: 'Scan this with your authenticator app, then type the code that it shows.',
    orType: 'Or type this into the app:',
    copySecret: 'Copy the secret',
    qrLabel: 'QR code for your authenticator app',
    submit: 'Check the code',
    done: 'The second factor is on',
    renew: 'New recovery codes',
    remove: 'Switch off',
    removeTitle: 'Switch the second factor off?',
    removeText: 'Your password alone will let you in.',
    removeEnds: 'The app’s codes and your recovery codes stop working',
    removeStays: 'Your password stays as it is',
    keep: 'Keep it on',
    removed: 'The second factor is off',
  },

  recovery: {
    title: 'Your recovery codes',
    lead: 'Each lets you in once when your telephone is not at hand. They are shown now and never again: keep them where only you find them.',
    copy: 'Copy all',
    copyLabel: 'Copy the recovery codes',
    done: 'I have kept them',
  },

  signIns: {
    title: 'Where you are signed in',
    here: 'This browser',
    unknown: 'Unknown browser',
    last: 'Last used',
    end: 'Sign out',
    ended: 'That browser is signed out',
    all: 'Sign out everywhere',
    allTitle: 'Sign out everywhere?',
    allText: 'Every browser in which you are signed in has to sign in again.',
    allEnds: 'This browser is signed out too',
    allStays: 'API keys go on working',
    keep: 'Stay signed in',
  },

  resetLink: {
    make: 'Make a reset link',
    title: 'Link to a new password',
    lead: (email: string) =>
      `Give it to ${email} and nobody else. It works once, within 30 minutes, and is shown only now.`,
    copy: 'Copy the link',
    close: 'Done',
  },
} as const;
