import { plural } from './plural.ts';

const cancels = (count: number) =>
  count === 0
    ? 'Nothing is waiting, so nothing is cancelled'
    : `${plural(count, 'waiting message is', 'waiting messages are')} cancelled`;

/** Apart from the number's page, which opens them on demand. */
export const numberDialogs = {
  replace: {
    title: (name: string) => `Replace the phone of ${name}`,
    text: 'For a new phone number. A new handset with the same number needs no replacing: link it again.',
    phone: 'New phone number',
    phoneHelp: 'Digits only, country code first. Only this phone can be linked then.',
    unlinks: (phone: string) => `${phone} is unlinked now`,
    pause: (count: number) =>
      count === 0
        ? 'Nothing can be sent until the new phone is linked'
        : `Its ${plural(count, 'key answers', 'keys answer')} 409 until the new phone is linked`,
    stays: 'Keys, messages and history stay with the number',
    password: 'You may be asked for your password, and it is noted in the log who replaced it.',
    submit: 'Replace and link',
  },

  rename: {
    title: 'Rename this number',
    submit: 'Rename',
  },

  unlink: {
    title: (name: string) => `Unlink ${name}?`,
    text: (phone: string | null) =>
      phone ? `This removes Wirebird from the linked devices of ${phone}.` : 'This ends the linking.',
    cancels,
    keys: (count: number) => `Its ${plural(count, 'key answers', 'keys answer')} 409 until you link again`,
    stays: 'History and keys stay',
    keep: 'Keep linked',
    submit: 'Unlink',
    done: (name: string) => `${name} is unlinked`,
  },

  remove: {
    title: (name: string) => `Remove ${name}?`,
    text: 'The number leaves this account. This cannot be undone.',
    unlinks: 'The phone is unlinked',
    cancels,
    keys: (count: number) =>
      `Its ${plural(count, 'key answers', 'keys answer')} 404 until you revoke ${count === 1 ? 'it' : 'them'}`,
    place: 'Its place in the plan is free again',
    stays: 'Its messages stay in the list',
    keep: 'Keep number',
    submit: 'Remove',
    done: (name: string) => `${name} is removed`,
  },
} as const;
