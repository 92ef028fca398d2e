import { plural } from '#app/_components/ui/plural.ts';

export const numbers = {
  title: 'Numbers',
  lead: 'Messages are sent from your own WhatsApp numbers. You keep using them on your phones and can unlink them at any time.',
  add: 'Add a number',
  columns: { number: 'Number', state: 'State', waiting: 'Waiting', interval: 'Interval', since: 'Since' },
  intervalOf: (seconds: string) => `${seconds} s`,
  waiting: (count: number) => plural(count, 'waiting', 'waiting'),
  empty: {
    title: 'No numbers yet',
    text: 'Messages are sent from your own WhatsApp number. You keep using it on your phone and can unlink it at any time.',
  },
  /** Below a number's name, when a note explains the state. */
  noted: (since: string) => `In this state for ${since}.`,

  page: {
    settings: 'Settings',
    health: 'Health',
    linkAgain: 'Link again',
    link: 'Link phone',
    continueLinking: 'Continue linking',
    openPhone: 'Open phone',
    takeOverSession: 'Use here',
    tryAgain: 'Try again',
    hold: 'Hold',
    release: 'Release',
    rename: 'Rename',
    replace: 'Change phone number',
    unlink: 'Unlink',
    remove: 'Remove',
    history: 'History',
    linked: 'Linked',
    wholeHistory: 'Full history',
    lasted: (time: string) => `for ${time}`,
    lasts: (time: string) => `for ${time} so far`,
    queue: 'Queue',
    keys: 'Keys',
    keysEmpty: 'No key sends from this number yet.',
    keyCreate: 'Create key',
    facts: 'Details',
    instance: 'Instance ID',
    phone: 'Phone number',
    noPhone: 'None yet',
    network: 'Type',
    networks: { whatsapp: 'WhatsApp', sandbox: 'Sandbox' },
    added: 'Added',
    timesExact: 'Hover to see the exact time.',
    timesExactTouch: 'Tap a time to see it exactly.',
    copyInstance: 'Copy the instance ID',
    copyPhone: 'Copy the phone number',
    notFound: 'This number does not exist in this account.',
  },

  protection: {
    protect: 'Protect this number',
    on: 'On. There is a daily limit for new people, which grows the longer the number is linked. The interval varies. If WhatsApp refuses several first messages, messages to new people pause. Above the limit, requests to new people get 429, and async messages wait.',
    off: 'Off. You can message any number of new people. Messaging many of them is the most common reason why WhatsApp restricts a number.',
  },

  queueCard: {
    next: 'Next',
    waits: 'Waiting',
    inAbout: (time: string) => `in ${time}`,
    awaitsMedia: 'Downloading the file',
    callerWaits: 'Program is waiting',
    newPerson: 'New person',
    scheduled: 'Scheduled',
    scheduledFor: 'Scheduled for',
    until: 'expires',
    shown: (shown: number, all: number) => `${shown} of ${all}, in sending order`,
    all: 'Show all',
    fewer: 'Show fewer',
    cancelOne: (to: string) => `Cancel the message to ${to}`,
  },

  groups: {
    title: 'Groups',
    ask: 'List groups',
    again: 'Refresh list',
    asking: 'Loading groups from WhatsApp…',
    none: 'This number is not in any group.',
    how: 'To send to a group, put its ID in “to”. List the groups to see their IDs.',
    offline: 'You can list groups while the number is connected.',
    listed: 'Updated',
    search: 'Name or ID',
    notFound: 'No groups match.',
    unnamed: 'Unnamed group',
    people: (count: number) => plural(count, 'person', 'people'),
    copy: (name: string) => `Copy the ID of ${name}`,
  },

  stateNotes: {
    excess: {
      title: 'Your plan does not include this number',
      text: 'It stays linked and keeps its keys and history, but sends nothing.',
      do: 'Choose which numbers stay',
    },
    planStopped: {
      title: 'Stopped because the plan ended',
      text: 'When the plan is renewed, the number reconnects automatically. You do not need the phone, unless somebody removed Wirebird there under Linked devices.',
      do: 'Open the plan',
    },
    resting: {
      title: 'This number is idle',
      text: 'Trial numbers stop after 15 minutes without use. The link is kept: you can start the number without a code.',
      do: 'Start number',
    },
    conflict: {
      title: 'WhatsApp Web is open elsewhere with this number',
      text: 'Only one session can be connected. “Use here” takes the session back and disconnects the other one.',
    },
    blocked: {
      title: 'WhatsApp has blocked this number',
      steps: [
        'Open WhatsApp on the phone. It shows whether the number is banned and how to request a review.',
        'Wait a day. If you try again sooner, the wait gets longer.',
        'Before you send again: set a longer interval, vary the texts, and send only to people who expect your messages.',
      ],
    },
    loggedOut: {
      title: 'Link this number again',
      steps: [
        'If the phone number is the same, even on a new phone, choose “Link again”. If messages are waiting, you then choose whether to send them.',
        'If the phone number is new, choose “Change phone number”. Keys and history are kept. Waiting and scheduled messages are cancelled.',
      ],
    },
    other: {
      title: 'Another phone scanned the code',
      steps: [
        'Link the phone that this number had before.',
        'Or choose “Change phone number” and enter the new number first. Keys and history are kept.',
        'Or add the other phone as a new number.',
      ],
    },
    suspended: {
      title: 'The administrator has suspended this number',
      reason: (reason: string) => `Their reason: ${reason}`,
      text: 'It cannot send or be linked. Ask the administrator to resume it. Keys, history and the link are kept.',
    },
    linking: { title: 'Waiting for the phone', do: 'Continue linking' },
    reconnecting: {
      title: 'Reconnecting automatically',
      text: 'You do not need to do anything.',
    },
    stranded: {
      title: 'The server of this number does not respond',
      steps: [
        'When the server is back, the number reconnects automatically, without the phone. Waiting messages are then sent.',
        'If the administrator says that the server is gone, link the number again with its phone. Keys and history are kept. The old session is never used again.',
      ],
      do: 'Link again',
    },
    decide: {
      title: (count: number) =>
        `${plural(count, 'message', 'messages')} waited while the number could not send`,
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
      discard: 'Discard',
      more: (count: number) =>
        `And ${plural(count, 'other message', 'other messages')}, on the number’s page`,
      sent: (count: number, scheduled: number) => {
        const kept = `${plural(scheduled, 'message stays', 'messages stay')} scheduled`;
        if (scheduled === count) return kept;
        const sent = `${plural(count - scheduled, 'message is', 'messages are')} being sent`;
        return scheduled === 0 ? sent : `${sent}, ${kept}`;
      },
      discarded: (count: number) => `${plural(count, 'message', 'messages')} discarded`,
    },
    replacing: {
      title: (phone: string) => `Changing the phone number to ${phone}`,
      text: 'Link the new phone now. No other phone is accepted. Keys and history are kept.',
      do: 'Link the new phone',
      keep: (phone: string) => `Keep ${phone}`,
    },
  },

  holdDone: (name: string) => `${name} is on hold`,
  holdText: 'It stays linked and sends nothing until you release it.',
  releaseDone: (name: string) => `${name} sends again`,
} as const;
