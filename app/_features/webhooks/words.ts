import { plural } from '#app/_components/ui/plural.ts';
import type { EventType } from '#server/core/webhooks/events.ts';

export const webhooks = {
  title: 'Webhooks',
  lead: 'Wirebird posts an event to your server when a message is sent, delivered, read or failed, and when a number’s state changes.',
  guide: 'Guide',
  create: 'Add endpoint',
  inspect: 'Inspect events',

  events: {
    'message.sent': 'Sent',
    'message.delivered': 'Delivered',
    'message.read': 'Read',
    'message.failed': 'Failed',
    'message.unknown': 'Unknown',
    'message.expired': 'Expired',
    'message.cancelled': 'Cancelled',
    'number.status': 'Number state',
  } satisfies Record<EventType, string>,
  inspector: 'Event inspector',
  every: 'All numbers',
  removedNumber: 'Removed number',
  allEvents: 'All events',

  list: {
    title: 'Endpoints',
    endpoint: 'Endpoint',
    number: 'Number',
    state: 'State',
    success: 'Last success',
    failures: 'Failure rate',
    failuresHelp: 'Share of failed requests for the last 100 events.',
    none: 'None yet',
    empty: {
      title: 'No endpoints yet',
      text: 'Add the address of your server. To see events without a server, inspect those of a sandbox number here.',
    },
  },

  states: {
    works: 'Working',
    new: 'No events yet',
    failing: 'Failing',
    person: 'Off',
    gone: 'Off: returned 410',
    failed: 'Off: failed for 3 days',
  },

  form: {
    create: 'Add endpoint',
    change: 'Edit endpoint',
    createText: 'Its signing secret is shown once, in the next step.',
    url: 'URL',
    urlHelp: 'A public address of your server, with https. Redirects are not followed.',
    number: 'Number',
    numberHelp: 'Only events from this number are sent.',
    events: 'Events',
    submit: 'Add endpoint',
    save: 'Save',
  },

  inspectDialog: {
    title: 'Inspect events',
    text: 'Events from a sandbox number are shown on a page, as your server would get them. Nothing is sent to a server.',
    number: 'Sandbox number',
    submit: 'Inspect events',
  },

  secret: {
    title: 'Signing secret',
    text: 'Your server needs it to verify that requests come from Wirebird. You see it only once.',
    rotated: 'For 24 hours requests are signed with the old and the new secret.',
    copy: 'Copy',
    copyLabel: 'Copy the signing secret',
    stored: 'I have stored the secret',
    done: 'Done',
  },

  page: {
    notFound: 'This endpoint does not exist in this account.',
    test: 'Send test event',
    tested: 'Sending a test event',
    edit: 'Edit',
    rotate: 'Rotate secret',
    replay: 'Replay since…',
    off: 'Switch off',
    on: 'Switch on',
    switchedOn: 'Endpoint switched on',
    remove: 'Delete',
    rateOf: 'Failure rate, last 100 events',
    waiting: 'Waiting',
    waitingEvents: (count: number) =>
      count >= 1000 ? '1,000 events or more' : plural(count, 'event', 'events'),
    rate: (failed: number, requests: number) =>
      requests === 0
        ? '–'
        : `${((failed / requests) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`,
    failing: 'This endpoint does not accept events',
    failingText:
      'Events wait and are retried automatically, at longer and longer intervals. After 3 days of failures the endpoint is switched off. Open an event below to see your server’s response. When you have fixed the cause, send a test event: the next request is then sent at once.',
    failingSince: 'Failing since',
    nextRequest: 'Next request:',
    offTitle: 'This endpoint is off',
    offText: (days: number) =>
      `It gets no events. Switch it on, then replay the events it missed. Events are kept for up to ${plural(days, 'day', 'days')}.`,
  },

  log: {
    title: 'Log',
    filter: 'Events',
    all: 'All',
    failed: 'Not delivered',
    event: 'Event',
    about: 'About',
    state: 'State',
    answer: 'Response',
    duration: 'Duration',
    time: 'Time',
    empty: { title: 'No events yet', text: 'Send a message, or send a test event.' },
    emptyFailed: { title: 'Every event was delivered.' },
    more: 'Show older events',
    waits: 'Waiting',
    retries: 'Retrying',
    delivered: 'Delivered',
    dropped: 'Dropped',
    ms: (ms: number) => `${ms.toLocaleString('en')} ms`,
    testEvent: 'Test',
  },

  delivery: {
    replay: 'Replay',
    replayed: 'Sending the event again',
    body: 'Body',
    headers: 'Headers',
    copyBody: 'Copy the body',
    attempts: 'Requests',
    none: 'No requests yet.',
    noAnswer: 'No response',
    emptyAnswer: 'The response has no body.',
    notRecorded: 'No headers were recorded.',
    next: 'Next request',
    message: 'Open message',
  },

  replayDialog: {
    title: 'Replay events',
    text: 'Every event since this time is sent again, with the same webhook-id. Your server recognises repeats by it.',
    since: 'Since',
    submit: 'Replay',
    done: (events: number) =>
      events === 0 ? 'No events since then' : `${plural(events, 'event is', 'events are')} sent again`,
  },

  rotateDialog: {
    title: 'Rotate the signing secret?',
    ends: ['The old secret stops working in 24 hours. Update your server before then'],
    stays: ['Until then requests are signed with both secrets'],
    keep: 'Keep the secret',
    submit: 'Rotate secret',
    done: 'Secret rotated',
  },

  offDialog: (days: number) => ({
    title: 'Switch this endpoint off?',
    ends: ['It gets no more events', 'Events that wait for it are dropped'],
    stays: [
      `You can replay missed events for up to ${plural(days, 'day', 'days')}`,
      'Messages are sent as usual',
    ],
    keep: 'Keep it on',
    submit: 'Switch off',
    done: 'Endpoint switched off',
  }),

  removeDialog: {
    title: 'Delete this endpoint?',
    ends: ['It gets no more events', 'Its log and its secret are deleted'],
    stays: ['Messages are sent as usual'],
    keep: 'Keep endpoint',
    submit: 'Delete endpoint',
    done: 'Endpoint deleted',
  },

  receiver: {
    title: 'Receive events',
    text: 'This server verifies the signature and the time of each request, and handles each state of a message once. Put the endpoint’s secret into WIREBIRD_WEBHOOK_SECRET.',
    language: 'Language of the sample',
    copy: 'Copy the sample',
  },
} as const;
