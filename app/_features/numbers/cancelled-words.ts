import { plural } from '#app/_components/ui/plural.ts';

/** What an unlinking or a change of the phone number cancelled. */
export const cancelledNote = {
  text: (count: number, changed: boolean) =>
    `${plural(count, 'message was', 'messages were')} cancelled when ${changed ? 'the phone number was changed' : 'this number was unlinked'}. ${count === 1 ? 'It is' : 'They are'} not sent unless you send ${count === 1 ? 'it' : 'them'} again.`,
  link: (count: number) => (count === 1 ? 'Show it' : `Show all ${count}`),
} as const;

const DAY_MS = 86_400_000;

/** The list of these messages. `oldest`: when the first of them was accepted. */
export function cancelledHref(numberId: string, oldest: Date): string {
  // The list reads the day in the viewer's zone, which may be a day behind.
  const first = new Date(oldest.getTime() - DAY_MS).toISOString().slice(0, 10);
  return `/messages?number=${numberId}&status=cancelled&code=unlinked&days=${first}..`;
}
