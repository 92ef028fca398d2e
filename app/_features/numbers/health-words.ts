import type { ContactLimit } from '#server/core/new-contacts.ts';

/** Texts of the health card on a number's page. */
export const health = {
  title: 'Health',
  noEnd: 'End unknown',
  newPeople: 'New people',
  budget: (used: number, budget: number) => `${used} of ${budget} in 24 hours`,
  noBudget: (used: number) => `${used} in 24 hours`,
  newShare: 'Share of new',
  newOf: (part: number, whole: number) =>
    whole === 0 ? 'No message in 7 days' : `${part} of ${whole} people in 7 days`,
  notTaken: 'Not confirmed',
  notTakenOf: (part: number, whole: number) =>
    whole === 0 ? 'No message in 7 days' : `${part} of ${whole} messages in 7 days`,
  linked: 'Linked',
  never: 'Not yet',
  protect: 'Protect this number',
  on: 'On: a daily limit for new people that grows with the age of the link, irregular intervals, and a break after WhatsApp refuses several first messages. Requests above the limit are answered with 429. Async messages wait.',
  off: 'Off: there is no limit for new people. Messages to many new people are the most common reason why WhatsApp restricts a number.',
  limits: {
    timelock: 'Restricted until',
    cap: 'Capped until',
    pause: 'Paused until',
    budget: 'Next new person',
  } satisfies Record<ContactLimit, string>,
} as const;
