import type { ContactLimit } from '#server/core/new-contacts.ts';

/** The card on a number's page that says how it stands with WhatsApp. */
export const health = {
  title: 'Health',
  noEnd: 'No end is known',
  newPeople: 'New people',
  budget: (used: number, budget: number) => `${used} of ${budget} in 24 hours`,
  noBudget: (used: number) => `${used} in 24 hours`,
  newShare: 'New in 7 days',
  newOf: (part: number, whole: number) => (whole === 0 ? 'Nobody written to' : `${part} of ${whole} people`),
  notTaken: 'Not taken',
  notTakenOf: (part: number, whole: number) =>
    whole === 0 ? 'No message in 7 days' : `${part} of ${whole} messages in 7 days`,
  linked: 'Linked',
  never: 'Not yet',
  protect: 'Protect this number',
  on: 'New people only within a budget that grows with the age of the link, pauses of irregular length, and a break after WhatsApp refuses several first messages. What does not fit is answered with 429, and async messages wait.',
  off: 'Off: this number writes to as many new people as it is asked to. That is what WhatsApp restricts most.',
  limits: {
    timelock: 'Restricted until',
    cap: 'Capped until',
    pause: 'Paused until',
    budget: 'Next one',
  } satisfies Record<ContactLimit, string>,
} as const;
