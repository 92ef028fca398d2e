import { plural } from '#app/_components/ui/plural.ts';

/** The messages that an action cancels. `scheduled`: those of them that wait for a later time. */
export function cancels({ waiting, scheduled }: { waiting: number; scheduled: number }): string {
  if (waiting === 0) return 'No messages are waiting';
  if (scheduled === 0) return `${plural(waiting, 'waiting message is', 'waiting messages are')} cancelled`;
  const all = plural(waiting, 'scheduled message is', 'scheduled messages are');
  if (scheduled === waiting) return `${all} cancelled`;
  return `${plural(waiting, 'message is', 'messages are')} cancelled: ${waiting - scheduled} waiting and ${scheduled} scheduled`;
}

/** A number that an action changes. */
interface Affected {
  name: string;
  phoneText: string | null;
  waiting: number;
  scheduled: number;
}

const answered = (keys: number, status: number) =>
  `Requests with its ${keys === 1 ? 'key' : plural(keys, 'key', 'keys')} get ${status}`;

/** Texts of the dialogs of a number. */
export const numberDialogs = {
  replace: {
    title: (name: string) => `Change the phone number of ${name}`,
    text: 'New phone, same number? Choose “Go back”. “Link again” is on the number’s page as soon as it is logged out.',
    phone: 'New phone number',
    phoneHelp:
      'With the country code, such as +49 1522 8817386. Only a phone with this number can be linked.',
    unlinks: (phone: string) => `${phone} will be unlinked immediately`,
    pause: (count: number) =>
      count === 0
        ? 'You cannot send until the new phone is linked'
        : `${answered(count, 409)} until the new phone is linked`,
    stays:
      'Keys, past messages and history are kept. What is cancelled can be sent again under Messages, and what was scheduled can be scheduled again',
    password: 'You may be asked for your password. The audit log records who changed the phone number.',
    submit: 'Change and link',
  },

  rename: {
    title: 'Rename this number',
    submit: 'Rename',
  },

  unlink: (number: Affected, keys: number) => ({
    title: `Unlink ${number.name}?`,
    text: number.phoneText
      ? `This removes Wirebird from the linked devices of ${number.phoneText}.`
      : 'This stops linking.',
    ends: [cancels(number), ...(keys > 0 ? [`${answered(keys, 409)} until you link again`] : [])],
    stays: ['Keys and history are kept'],
    keep: 'Keep linked',
    submit: 'Unlink',
    done: `${number.name} is unlinked`,
  }),

  remove: (number: Affected, keys: number) => ({
    title: `Remove ${number.name}?`,
    text: 'The number leaves this account. This cannot be undone.',
    ends: [
      'The phone is unlinked',
      cancels(number),
      ...(keys > 0 ? [`${answered(keys, 404)}. Revoke ${keys === 1 ? 'it' : 'them'}`] : []),
    ],
    stays: ['Your plan has room for another number', 'Its messages stay in the message list'],
    keep: 'Keep number',
    submit: 'Remove',
    done: `${number.name} is removed`,
  }),
} as const;
