import { plural } from '#app/_components/ui/plural.ts';

/** Texts of the decision about messages that waited. */
export const decide = {
  title: (count: number) => `${plural(count, 'message', 'messages')} waited while the number could not send`,
  text: (count: number) => `Decide whether ${count === 1 ? 'it' : 'they'} should still be sent.`,
  others: 'New messages are sent as usual.',
  scheduled: (count: number) =>
    `${count === 1 ? '1 of them is' : `${count} of them are`} scheduled for later and would be sent at that time.`,
  scheduledOnly: (count: number) =>
    `${count === 1 ? 'It is' : 'They are'} scheduled for later and would be sent at that time.`,
  send: (count: number, scheduled: number) => {
    if (scheduled === count) return count === 1 ? 'Keep it scheduled' : `Keep ${count} scheduled`;
    if (scheduled > 0) return `Send ${count - scheduled}, keep ${scheduled} scheduled`;
    return count === 1 ? 'Send it' : `Send all ${count}`;
  },
  discard: (count: number) => (count === 1 ? 'Discard it' : `Discard all ${count}`),
  more: (count: number) => `And ${plural(count, 'other message', 'other messages')}, on the number’s page`,
  sent: (count: number, scheduled: number) => {
    const kept = `${plural(scheduled, 'message stays', 'messages stay')} scheduled`;
    if (scheduled === count) return kept;
    const sent = `${plural(count - scheduled, 'message is', 'messages are')} being sent`;
    return scheduled === 0 ? sent : `${sent}, ${kept}`;
  },
  discarded: (count: number) => `${plural(count, 'message', 'messages')} discarded`,
} as const;
