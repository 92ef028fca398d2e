import type { ContactLimit } from '#server/core/new-contacts.ts';

const WEEK_MS = 7 * 86_400_000;

/** Since when the figures count. Those of an earlier phone number do not count. */
export function countedSince(linkedAt: string | null, now: Date): string {
  const lately = linkedAt !== null && now.getTime() - new Date(linkedAt).getTime() < WEEK_MS;
  return lately ? 'since this phone number was linked' : 'in 7 days';
}

/** Texts of the health card, which load with its figures. */
export const health = {
  notConnected: 'The number is not connected. These are its last figures.',
  noEnd: 'further notice',
  newPeople: 'New people',
  budget: (used: number, budget: number) => `${used} of ${budget} in 24 hours, waiting ones included`,
  noBudget: (used: number) => `${used} in 24 hours, waiting ones included`,
  newShare: 'Share of new people',
  newOf: (part: number, whole: number, since: string) =>
    whole === 0
      ? `No message ${since}`
      : `${part} of ${whole === 1 ? '1 person' : `${whole} people`} ${since}`,
  notTaken: 'Refused or not confirmed',
  notTakenOf: (part: number, whole: number, since: string) =>
    whole === 0
      ? `No message ${since}`
      : `${part} of ${whole === 1 ? '1 message' : `${whole} messages`} given to WhatsApp ${since}`,
  linked: 'First linked to this phone number:',
  never: 'not yet',
  limits: {
    timelock: 'Restricted until',
    cap: 'Capped until',
    pause: 'Paused until',
    budget: 'Next new person',
  } satisfies Record<ContactLimit, string>,
} as const;
