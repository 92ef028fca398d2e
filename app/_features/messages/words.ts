import type { Outputs } from '#app/_trpc/client.ts';

type Event = Outputs['messages']['get']['timeline'][number]['event'];

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

export const messages = {
  empty: {
    title: 'No messages yet',
    text: 'Messages your programs send appear here automatically, with their outcome.',
    do: 'Show sample code',
  },
  noMatch: {
    title: 'No messages match',
    text: 'No messages in this account match these filters.',
    do: 'Clear filters',
  },
  title: 'Messages',
  search: 'Recipient, text, reference or ID',
  searchLabel: 'Search messages by recipient, text, reference, message ID or X-Request-Id',
  csv: 'Export CSV',
  filters: {
    days: 'Days',
    first: 'From',
    last: 'To',
    state: 'State',
    number: 'Number',
    key: 'Key',
    kind: 'Type',
    errorCode: 'Error code',
    any: 'Any',
    noKey: 'No keys yet',
    clear: 'Clear',
  },
  columns: { state: 'State', to: 'To', message: 'Message', from: 'From', time: 'Accepted' },
  /** The mark of a message that was not sent: a later one to its recipient was. */
  laterSent: 'A later one was sent',
  /** Before the time of a scheduled message. */
  scheduledFor: 'for',
  list: 'List of messages',
  selectSome: 'Select messages',
  selected: 'Done',
  selectAll: 'Select all messages',
  select: (to: string) => `Select the message to ${to}`,
  searching: 'Searching',
  loadingMore: 'Loading older messages',
  lookingBack: (to: string | undefined) =>
    to
      ? `Looked through messages back to ${day.format(new Date(to))}. Continuing.`
      : 'Looking through messages',
  count: (count: number, more: boolean) =>
    `${count.toLocaleString('en')}${more ? ' shown' : count === 1 ? ' message' : ' messages'}, newest first`,
  keys: { move: 'move', search: 'search', again: 'send again' },

  detail: {
    label: 'Message',
    previous: 'Newer message',
    next: 'Older message',
    close: 'Close',
    back: 'Back to the list',
    erasedText: 'The content was erased. The outcome is kept.',
    timeline: 'Timeline',
    /** At the outcome of a message that was unknown before. */
    knownLater: 'Known since this time. It may have happened earlier',
    /** Over the column of offsets. */
    after: 'since it was accepted',
    id: 'Message ID',
    copyId: 'Copy the message ID',
    copyTo: 'Copy the recipient',
    from: 'From',
    /** The phone that a message was sent from, if its number has another one now. */
    fromEarlier: (phone: string | null) =>
      phone === null ? 'another phone number at the time' : `${phone}, its phone number at the time`,
    key: 'Key',
    noKey: 'Sent from the dashboard',
    lane: {
      sync: 'Sync: the response has the outcome',
      async: 'Async: the outcome can come after the response',
    },
    answer: 'Mode',
    client: 'Client',
    disconnected: (after: string, repeated: boolean) =>
      `Disconnected after ${after}${repeated ? ', then repeated its request' : ', before the response'}`,
    deadline: 'Deadline',
    reference: 'Reference',
    sendAt: 'Scheduled for',
    media: 'File',
    mediaPending: 'Downloading',
    mediaFailed: 'Download failed',
    request: 'Request',
    withKey: 'With an Idempotency-Key',
    keyLeftOut: '(API key left out)',
    copyRequest: 'Copy the request',
    passed: (time: string) => `+${time}`,
  },

  again: {
    open: 'Send again',
    hint: 'Creates a new message.',
    hintProgram: 'Creates a new message, without your Idempotency-Key.',
    orRepeat:
      'Do only one: press Send again, or repeat the request from your program with the same Idempotency-Key.',
    retries: 'If your program retries too, the recipient may get both.',
    unknown: 'The first one may have arrived: look at the sending phone first.',
    sent: 'WhatsApp has confirmed this message, so the recipient may get it twice.',
    arrived: 'The recipient already has this message. Send again sends it a second time.',
    scheduled: 'Sends now, not at the scheduled time.',
    ahead: 'It can be scheduled again, or sent now.',
  },

  /** The outcome of a message in a few words. */
  events: {
    accepted: { title: 'Accepted', text: 'In the number’s queue' },
    media_ready: { title: 'File ready', text: 'Downloaded and checked' },
    slot_claimed: { title: 'Its turn came', text: 'It has left the number’s queue' },
    recipient_resolved: { title: 'Recipient found', text: 'The recipient is on WhatsApp' },
    handed_over: { title: 'Given to WhatsApp Web', text: 'Waiting for WhatsApp to confirm it' },
    repeated: {
      title: 'Repeated',
      text: 'The same request came again. Nothing was sent twice',
    },
    sent: { title: 'Sent', text: 'Confirmed by WhatsApp' },
    delivered: { title: 'Delivered', text: 'On the recipient’s phone' },
    read: { title: 'Read', text: 'Opened by the recipient' },
    failed: { title: 'Failed', text: 'Definitely not sent' },
    unknown: { title: 'No confirmation', text: 'It may have arrived' },
    expired: { title: 'Expired', text: 'Its deadline passed before its turn' },
    cancelled: { title: 'Cancelled', text: 'Before its turn' },
  } satisfies Record<Event, { title: string; text: string }>,
} as const;
