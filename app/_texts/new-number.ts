export const newNumber = {
  title: 'Add a number',
  lead: 'One number is one phone. You link it in the next step.',
  network: 'What kind of number?',
  whatsapp: {
    title: 'Your WhatsApp number',
    text: 'Messages reach real people. You need the phone that has the number.',
  },
  sandbox: {
    title: 'Sandbox number',
    text: 'A number with a virtual phone, to try everything. Nothing reaches a real person. It counts in the plan like any other.',
  },
  label: 'Label',
  labelHelp: 'Only you see it, for example “Workshop”.',
  submit: 'Add number',
} as const;
