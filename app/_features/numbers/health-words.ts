import type { ContactLimit } from '#server/core/new-contacts.ts';

/** Texts of the health card, which load with its figures. */
export const health = {
  notConnected: 'The number is not connected. These are its last figures.',
  noEnd: 'further notice',
  newPeople: 'New people',
  budget: (used: number, budget: number) => `${used} of ${budget} in 24 hours, waiting ones included`,
  noBudget: (used: number) => `${used} in 24 hours, waiting ones included`,
  newShare: 'Share of new people',
  newOf: (part: number, whole: number) =>
    whole === 0 ? 'No message in 7 days' : `${part} of ${whole} people in 7 days`,
  notTaken: 'Refused or not confirmed',
  notTakenOf: (part: number, whole: number) =>
    whole === 0 ? 'No message in 7 days' : `${part} of ${whole} messages given to WhatsApp in 7 days`,
  linked: 'First linked to this phone number:',
  never: 'not yet',
  limits: {
    timelock: 'Restricted until',
    cap: 'Capped until',
    pause: 'Paused until',
    budget: 'Next new person',
  } satisfies Record<ContactLimit, string>,
} as const;
