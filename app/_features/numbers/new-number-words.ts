export const newNumber = {
  title: 'Add a number',
  lead: 'Each number belongs to one phone. You link the phone in the next step.',
  network: 'Number type',
  whatsapp: {
    title: 'Your WhatsApp number',
    text: 'Messages reach real people. You need the phone that has the number.',
  },
  sandbox: {
    title: 'Sandbox number',
    text: 'A number with a sandbox phone for testing. No message reaches a real person.',
    counts: 'It counts towards your plan like any other number.',
    onTrial: 'The trial includes one.',
    needsPlan: 'Linking it needs a plan.',
  },
  needsPlan: 'Needs a plan',
  needsPlanText: 'Linking a real phone needs a plan.',
  label: 'Name',
  labelHelp: 'Only your account sees it, for example “Workshop”.',
  submit: 'Add number',
} as const;
