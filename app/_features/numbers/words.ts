import { plural } from '#app/_components/ui/plural.ts';

export const numbers = {
  title: 'Numbers',
  lead: 'Messages are sent from your own WhatsApp numbers. The numbers stay on your phones, and you can unlink them at any time.',
  add: 'Add a number',
  columns: { number: 'Number', state: 'State', waiting: 'Waiting', interval: 'Interval', since: 'Since' },
  intervalOf: (seconds: string) => `${seconds} s`,
  waiting: (count: number) => plural(count, 'waiting', 'waiting'),
  empty: {
    title: 'No number yet',
    text: 'Messages are sent from your own WhatsApp number. It stays on your phone, and you can unlink it at any time.',
  },
  /** Beneath a number's name where a note says the rest. */
  noted: (since: string) => `In this state for ${since}.`,

  page: {
    linkAgain: 'Link again',
    link: 'Link phone',
    continueLinking: 'Show the code',
    openPhone: 'Open phone',
    takeOverSession: 'Use here',
    tryAgain: 'Try again',
    hold: 'Hold',
    release: 'Release',
    rename: 'Rename',
    replace: 'Replace phone',
    unlink: 'Unlink',
    remove: 'Remove',
    history: 'History',
    wholeHistory: 'Full history',
    lasted: (time: string) => `for ${time}`,
    lasts: (time: string) => `for ${time} so far`,
    interval: 'Interval between messages',
    queue: 'Queue',
    keys: 'Keys',
    keysEmpty: 'No key sends from this number yet.',
    keyCreate: 'Create key',
    facts: 'Details',
    instance: 'Instance',
    phone: 'Phone number',
    noPhone: 'None yet',
    network: 'Network',
    networks: { whatsapp: 'WhatsApp', sandbox: 'Sandbox' },
    added: 'Added',
    times: 'Times are in your time zone.',
    timesExact: 'Hover to see the exact time.',
    copyInstance: 'Copy the instance ID',
    copyPhone: 'Copy the phone number',
    notFound: 'This number does not exist in this account.',
  },

  queueCard: {
    next: 'Next',
    waits: 'Waiting',
    decide: 'Decide',
    inAbout: (time: string) => `in ${time}`,
    awaitsMedia: 'Downloading its file',
    callerWaits: 'Caller waiting',
    newPerson: 'New person',
    until: 'until',
    shown: (shown: number, all: number) => `${shown} of ${all}, in sending order`,
    all: 'Show all',
    fewer: 'Show fewer',
    cancelOne: (to: string) => `Cancel the message to ${to}`,
    cancelAll: 'Cancel all',
    cancelTitle: (count: number) => `Cancel ${plural(count, 'waiting message', 'waiting messages')}?`,
    cancelText: (name: string) => `All messages in the queue of ${name} are cancelled.`,
    cancelCallers: 'Programs waiting for an answer get 409',
    cancelNever: 'None of these messages will be sent',
    cancelUnderWay: 'A message that is being sent now is not affected',
    keep: 'Keep them',
    cancelled: (count: number) => `${plural(count, 'message', 'messages')} cancelled`,
  },

  groups: {
    title: 'Groups',
    ask: 'List groups',
    again: 'List again',
    asking: 'Loading groups from WhatsApp.',
    none: 'This number is not in any group.',
    how: 'To send to a group, put its ID in “to”. List the groups to see their IDs.',
    offline: 'You can list groups while the number is connected.',
    listed: 'Listed',
    search: 'Name or id',
    notFound: 'No group matches.',
    unnamed: 'Group without name',
    people: (count: number) => plural(count, 'person', 'people'),
    copy: (name: string) => `Copy the id of ${name}`,
  },

  stateNotes: {
    excess: {
      title: 'Your plan does not include this number',
      text: 'It stays linked and keeps its keys and history, but sends nothing.',
      do: 'Choose which numbers stay',
    },
    planStopped: {
      title: 'Stopped because the plan ended',
      text: 'When the plan is renewed, the number connects again without the phone, unless somebody removes this device on the phone.',
      do: 'Open the plan',
    },
    conflict: {
      title: 'WhatsApp Web is open elsewhere with this number',
      text: 'Only one session can be connected. “Use here” takes the session back and disconnects the other one.',
    },
    blocked: {
      title: 'WhatsApp refuses this number',
      steps: [
        'Open WhatsApp on the phone. It shows whether the number is banned and how to request a review.',
        'Wait a day. If you try again sooner, the wait gets longer.',
        'Before you send again: use a longer interval and varied texts, and write only to people who expect to hear from you.',
      ],
    },
    loggedOut: {
      title: 'Link this number again',
      steps: [
        'Same number, same or new phone: link it again. Nothing else changes.',
        'New phone number: choose “Replace phone” in the menu. Keys and history stay.',
      ],
    },
    other: {
      title: 'That was another phone',
      steps: [
        'Link the phone that this number had before.',
        'Or choose “Replace phone” in the menu and enter the new number first. Keys and history stay.',
        'Or add the other phone as a new number.',
      ],
    },
    suspended: {
      title: 'The administrator has suspended this number',
      reason: (reason: string) => `Their reason: ${reason}`,
      text: 'It cannot send or be linked. Contact the administrator to resume it. Keys, history and the link stay.',
    },
    linking: { title: 'Waiting for the phone', do: 'Continue linking' },
    reconnecting: {
      title: 'Reconnecting automatically',
      text: 'You do not need to do anything.',
    },
    stranded: {
      title: 'Its server does not answer',
      steps: [
        'When that server is back, the number reconnects automatically, without the phone, and waiting messages are sent.',
        'If the server is permanently gone, link the number again with its phone. Keys and history stay. The old session is never used again.',
      ],
      do: 'Link again',
    },
    decide: {
      title: (count: number) =>
        `${plural(count, 'message', 'messages')} waited while the number could not send`,
      text: (count: number) =>
        `Decide whether ${count === 1 ? 'it' : 'they'} should still be sent. Other messages are not affected.`,
      send: (count: number) => (count === 1 ? 'Send it' : `Send all ${count}`),
      discard: 'Discard',
      sent: (count: number) => `${plural(count, 'message is', 'messages are')} being sent`,
    },
    replacing: {
      title: (phone: string) => `Replacing the phone with ${phone}`,
      text: 'Link the new phone now. No other phone is accepted. Keys and history stay.',
      do: 'Link the new phone',
      keep: (phone: string) => `Keep ${phone}`,
    },
  },

  holdDone: (name: string) => `${name} is held`,
  holdText: 'It stays linked and sends nothing until you release it.',
  releaseDone: (name: string) => `${name} sends again`,

  intervalCard: {
    seconds: (count: number) => (count === 1 ? 'second' : 'seconds'),
    isDefault: 'Default',
    perHour: 'per hour, at most',
    perDay: 'per day, at most',
    atOnce: (count: number) =>
      `${count} plain requests sent at the same time get a slot within 40 seconds. The next one is answered with 429 and Retry-After. Async requests can wait longer.`,
    irregular: (seconds: string) =>
      `This number is protected, so the interval varies: it is ${seconds} seconds.`,
    help: 'A longer interval lowers the risk that WhatsApp blocks the number. It applies to every key of this number, from the next message.',
    save: 'Save',
    undo: 'Undo',
    saved: (seconds: number) => `Interval set to ${seconds} seconds`,
    spoken: (seconds: number, perHour: string) => `${seconds} seconds, ${perHour} messages per hour`,
  },
} as const;
