import { plural } from '#app/_components/ui/plural.ts';

/** What a restore or a move left of the messages that waited. */
export const restoredNote = {
  /** The time of the backup follows, then `missing`. */
  backup: 'The service was restored from the backup of',
  missing: (lost: string) =>
    `: the records of ${lost} after that are missing. Compare your requests since then with the chats on the phone, and repeat only what is in no chat.`,
  unknown: (count: number) =>
    `${plural(count, 'message is', 'messages are')} unknown since the restore and may have arrived. Look at ${count === 1 ? 'its chat' : 'their chats'} on the phone before you send ${count === 1 ? 'it' : 'them'} again.`,
  /** `moved`: how many of them a move expired. */
  expired: (count: number, moved: number) => {
    const by = [count > moved && [count - moved, 'by a restore'], moved > 0 && [moved, 'by a move']].filter(
      (one) => one !== false,
    );
    const how = by.length === 1 ? ` ${by[0]?.[1]}` : `: ${by.map((one) => one.join(' ')).join(', ')}`;
    return `${plural(count, 'message was', 'messages were')} not sent and expired${how}.`;
  },
  link: (count: number) => (count === 1 ? 'Show it' : `Show all ${count}`),
} as const;

const DAY_MS = 86_400_000;

/** The list of these messages. `oldest` and `newest`: when they were accepted. */
export function restoredHref(
  { numberId, status }: { numberId: string; status: 'unknown' | 'expired' },
  oldest: Date,
  newest: Date,
): string {
  // The list reads days in the viewer's zone, which may be a day behind or ahead.
  const day = (at: Date, days: number) => new Date(at.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  return `/messages?number=${numberId}&status=${status}&days=${day(oldest, -1)}..${day(newest, 1)}`;
}
