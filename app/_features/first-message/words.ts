import { TRIAL } from '#server/core/trial.ts';

export const firstMessage = {
  title: 'Send your first message',
  lead: 'In the sandbox, a simulated WhatsApp: nothing reaches a real phone. It takes less than a minute.',
  off: { title: 'The sandbox is switched off here. Link a real phone instead.', do: 'Add a number' },
  numberLabel: 'Sandbox',
  keyName: 'First message',

  steps: {
    number: { title: 'A sandbox number', text: 'It belongs to this account.' },
    phone: { title: 'Its sandbox phone', text: 'It scans the code that a real phone would scan.' },
    key: { title: 'An API key', text: 'Your program sends it with each request.' },
  },
  counts: 'It counts towards your plan.',
  onTrial: 'The trial includes one.',
  begin: {
    all: 'Create all three',
    both: 'Create both',
    key: 'Create a key',
    /** Some of it exists. */
    rest: 'Continue',
  },
  exist: (name: string, key: boolean) =>
    `The number “${name}” and its phone exist.${key ? ' Only a new key is made.' : ''}`,
  again: 'Try again',
  slow: 'The sandbox phone did not connect within a minute. Try again.',

  send: {
    title: 'Your first request',
    key: 'Your key. Store it now: it cannot be shown again.',
    copyKey: 'Copy the key',
    copyCommand: 'Copy the command',
    hint: 'Run this in a terminal, or send it from here.',
    to: 'To',
    body: 'Text',
    trialHint: 'With a plan, your program sends it through the API.',
    do: 'Send it',
  },
  phone: {
    title: 'The sandbox phone',
    empty: 'The message appears here.',
  },
  arrived: {
    title: 'Your first message has arrived',
    text: 'The API works the same with a real number.',
    next: [
      { href: '/numbers/new', word: 'Link a real phone' },
      { href: '/docs/guides/first-message', word: 'Read the guides' },
      { href: '/', word: 'Overview' },
    ],
    trialText: `You can send ${TRIAL.messagesPerDay} messages a day before you pay. The plan adds your own phones and the API.`,
    trialNext: [
      { href: '/try', word: 'Send your own text' },
      { href: '/account/plan', word: 'Request a plan' },
      { href: '/', word: 'Overview' },
    ],
  },
} as const;
