const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const cancels = (count: number) =>
  count === 0
    ? 'Nothing is waiting, so nothing is cancelled'
    : `${plural(count, 'waiting message is', 'waiting messages are')} cancelled`;

export const numbers = {
  title: 'Numbers',
  lead: 'Messages leave from your own WhatsApp numbers. They stay on your phones, and you can unlink them at any time.',
  add: 'Add a number',
  columns: { number: 'Number', state: 'State', waiting: 'Waiting', pause: 'Pause', since: 'Since' },
  pauseOf: (seconds: number) => `${seconds} s`,
  waiting: (count: number) => plural(count, 'waiting', 'waiting'),
  empty: {
    title: 'No number yet',
    text: 'Messages leave from your own WhatsApp number. It stays on your phone, and you can unlink it at any time.',
  },
  /** Beneath a number's name where a note says the rest. */
  noted: (since: string) => `In this state for ${since}.`,

  new: {
    title: 'Add a number',
    lead: 'One number is one phone. You link it in the next step.',
    network: 'What kind of number?',
    whatsapp: {
      title: 'Your WhatsApp number',
      text: 'Messages reach real people. You need the phone that has the number.',
    },
    sandbox: {
      title: 'Sandbox number',
      text: 'A number with a virtual phone, to try everything. Nothing reaches a real person. It counts in the plan like any other.',
    },
    label: 'Label',
    labelHelp: 'Only you see it, for example “Workshop”.',
    submit: 'Add number',
  },

  page: {
    linkAgain: 'Link again',
    link: 'Link it',
    continueLinking: 'Show the code',
    openPhone: 'Open phone',
    useHere: 'Use here',
    tryAgain: 'Try again',
    hold: 'Hold',
    release: 'Release',
    rename: 'Rename',
    replace: 'Replace the phone',
    unlink: 'Unlink',
    remove: 'Remove',
    history: 'What happened so far',
    wholeHistory: 'Whole history',
    lasted: (time: string) => `for ${time}`,
    lasts: (time: string) => `for ${time} so far`,
    pause: 'Pause between messages',
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
    timesExact: 'Hover for the exact one.',
    copyInstance: 'Copy the instance',
    copyPhone: 'Copy the phone number',
    notFound: 'There is no such number in this account.',
  },

  queueCard: {
    next: 'Next',
    waits: 'Waits',
    decide: 'Decide',
    inAbout: (time: string) => `in ${time}`,
    awaitsMedia: 'Its file is being fetched',
    callerWaits: 'Caller waits',
    until: 'until',
    shown: (shown: number, all: number) => `${shown} of ${all}, in the order in which they leave`,
    all: 'Show all',
    fewer: 'Show fewer',
    cancelOne: (to: string) => `Cancel the message to ${to}`,
    cancelAll: 'Cancel all',
    cancelTitle: (count: number) => `Cancel ${plural(count, 'waiting message', 'waiting messages')}?`,
    cancelText: (name: string) => `Everything in the queue of ${name} is taken out of it.`,
    cancelCallers: 'Programs that wait for an answer get 409',
    cancelNever: 'None of these messages is ever sent',
    cancelUnderWay: 'What is being sent right now is finished',
    keep: 'Keep them',
    cancelled: (count: number) => `${plural(count, 'message', 'messages')} cancelled`,
  },

  groups: {
    title: 'Groups',
    ask: 'List groups',
    again: 'List again',
    asking: 'The phone is being asked for its groups.',
    none: 'This number is in no group.',
    how: 'To send to a group, its id goes into “to”. List them to see the ids.',
    offline: 'Groups can be listed while the number is connected.',
    listed: 'Listed',
    search: 'Name or id',
    notFound: 'No group matches.',
    unnamed: 'Group without name',
    people: (count: number) => plural(count, 'person', 'people'),
    copy: (name: string) => `Copy the id of ${name}`,
  },

  stateNotes: {
    excess: {
      title: 'This number is beyond those that the plan includes',
      text: 'It stays linked, with its keys and history.',
      do: 'Choose which numbers stay',
    },
    planStopped: {
      title: 'Stopped since the plan ended',
      text: 'When the plan is renewed, the number connects again without its phone, as long as nobody removes this device there.',
      do: 'To the plan',
    },
    conflict: {
      title: 'WhatsApp Web is open elsewhere with this number',
      text: 'Only one of them can be connected. “Use here” takes the session back, and the other place is disconnected.',
    },
    blocked: {
      title: 'WhatsApp refuses this number',
      steps: [
        'Open WhatsApp on the phone: it says whether the number is banned, and how to ask for a review.',
        'Trying again soon makes the wait longer. Leave it for a day.',
        'Before you go on: a longer pause, varied texts, and only people who expect to hear from you.',
      ],
    },
    loggedOut: {
      title: 'This number has to be linked again',
      steps: [
        'A new phone with the same number: link it again, nothing else changes.',
        'With a new phone number, choose “Replace the phone” in the menu: keys and history stay.',
      ],
    },
    other: {
      title: 'That was another phone',
      steps: [
        'Link the phone that this number had before.',
        'Or choose “Replace the phone” in the menu and name the new one first: keys and history stay.',
        'Or add the other phone as a number of its own.',
      ],
    },
    suspended: {
      title: 'The administrator has suspended this number',
      reason: (reason: string) => `Their reason: ${reason}`,
      text: 'It cannot be linked. Write to the administrator to resume it; keys, history and the link stay.',
    },
    linking: { title: 'The phone needs you', do: 'To the linking' },
    reconnecting: {
      title: 'Being restored automatically',
      text: 'There is nothing to do.',
    },
    stranded: {
      title: 'Its server does not answer',
      steps: [
        'When that server is back, the number goes on automatically, without the phone, and what waits leaves.',
        'If it is gone for good, link the number again with its phone. Keys and history stay; the old session is never used again.',
      ],
      do: 'Link again',
    },
    decide: {
      title: (count: number) => `${plural(count, 'message', 'messages')} waited while it could not send`,
      text: (count: number) =>
        `${count === 1 ? 'Does it' : 'Do they'} still make sense? ${count === 1 ? 'It waits' : 'They wait'} for your decision; no other message does.`,
      send: (count: number) => (count === 1 ? 'Send it' : `Send all ${count}`),
      discard: 'Discard',
      sent: (count: number) => `${plural(count, 'message goes', 'messages go')} out`,
    },
    replacing: {
      title: (phone: string) => `To be replaced by ${phone}`,
      text: 'Link the new phone now. No other is taken. Keys and history stay.',
      do: 'Link the new phone',
      keep: (phone: string) => `Keep ${phone}`,
    },
  },

  replaceDialog: {
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

  renameDialog: {
    title: 'Rename this number',
    submit: 'Rename',
  },

  holdDone: (name: string) => `${name} is held`,
  holdText: 'It stays linked and sends nothing until you release it.',
  releaseDone: (name: string) => `${name} sends again`,

  unlinkDialog: {
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

  removeDialog: {
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

  pauseCard: {
    seconds: (count: number) => (count === 1 ? 'second' : 'seconds'),
    isDefault: 'Default',
    perHour: 'per hour, at most',
    perDay: 'per day, at most',
    atOnce: (count: number) =>
      `${count} plain requests that come at once find a slot within 40 seconds; one more is answered 429 with a Retry-After. Async ones wait longer.`,
    help: 'A longer pause looks more like a person and lowers the risk that WhatsApp blocks the number. Holds for every key of this number, from the next message on.',
    save: 'Save',
    undo: 'Undo',
    saved: (seconds: number) => `Pause set to ${seconds} seconds`,
    spoken: (seconds: number, perHour: string) => `${seconds} seconds, ${perHour} messages per hour`,
  },
} as const;
