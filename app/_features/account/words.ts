export const account = {
  title: 'Your account',
  lead: 'How you sign in, and where you are signed in.',

  tabs: { label: 'Your account', you: 'You', settings: 'Account', people: 'Members', plan: 'Plan and usage' },

  profile: {
    title: 'Profile',
    emailHelp: 'You sign in with this address and receive email there.',
    account: 'Account',
    role: 'Your role',
    roles: { owner: 'Owner', member: 'Member' },
    administrator: 'Administrator of this server',
  },

  settings: {
    title: 'Account settings',
    lead: (name: string) => `These settings apply to everybody in ${name}.`,
    nameTitle: 'Name',
    name: 'Company or project',
    nameHelp: 'Shown in the dashboard and in emails. Recipients never see it.',
    rename: 'Save name',
    renamed: 'Name saved',
    ownerOnly: 'Only an owner of this account can change this.',
  },

  timeZone: {
    title: 'Time zone',
    lead: 'For times in emails and the start of each month. Pages show times in your device’s time zone.',
    chosen: 'Chosen for this account',
    inherited: 'Default of this server',
    now: (time: string) => `Now ${time}`,
    change: 'Change time zone',
    reset: (zone: string) => `Use server default: ${zone}`,
    search: 'City, country or offset',
    dialog: 'Choose a time zone',
    none: 'No time zone matches. Try the largest city nearby.',
    done: (zone: string) => `The time zone is now ${zone}`,
  },

  confirm: {
    title: 'Confirm your password',
    text: 'This action is protected. Enter your password to continue.',
    submit: 'Continue',
  },

  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    submit: 'Change password',
    done: 'Your password is changed',
    doneText: 'You are signed out everywhere else.',
  },

  code: 'Code',
  codeHelp: 'From your authenticator app, or a recovery code.',

  second: {
    title: 'Two-factor authentication',
    off: 'Off',
    on: 'On',
    leadOff: 'With an authenticator app on your phone, nobody can sign in with a stolen password alone.',
    leadRequired: 'Administrators must turn this on before they can do anything else.',
    leadOn: (codes: number) =>
      codes === 1 ? 'You have 1 recovery code left.' : `You have ${codes} recovery codes left.`,
    begin: 'Turn on',
    scan: 'Scan this with your authenticator app, then enter the code it shows.',
    orType: 'Or type this into the app:',
    copySecret: 'Copy the secret',
    qrLabel: 'QR code for your authenticator app',
    submit: 'Verify code',
    done: 'Two-factor authentication is on',
    renew: 'New recovery codes',
    removeDialog: {
      title: 'Turn off two-factor authentication?',
      text: 'You will sign in with your password only.',
      ends: ['Codes from the app and recovery codes stop working'],
      stays: ['Your password does not change'],
      keep: 'Keep it on',
      submit: 'Turn off',
      done: 'Two-factor authentication is off',
    },
  },

  recovery: {
    title: 'Your recovery codes',
    lead: 'Use a recovery code to sign in without your phone. Each code works once. They are shown only now: store them in a safe place.',
    copy: 'Copy all',
    copyLabel: 'Copy the recovery codes',
    done: 'I have saved them',
  },

  signIns: {
    title: 'Where you are signed in',
    here: 'This browser',
    unknown: 'Unknown browser',
    last: 'Last used',
    end: 'Sign out',
    ended: 'That browser is signed out',
    allDialog: {
      title: 'Sign out everywhere?',
      text: 'Every browser where you are signed in must sign in again.',
      ends: ['This browser is signed out too'],
      stays: ['API keys keep working'],
      keep: 'Stay signed in',
      submit: 'Sign out everywhere',
    },
  },

  resetLink: {
    make: 'Create reset link',
    title: 'Password reset link',
    text: (email: string) =>
      `Give it only to ${email}. It works once, within 30 minutes, and is shown only now.`,
    copy: 'Copy the link',
    close: 'Done',
  },
} as const;
