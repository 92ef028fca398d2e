import { NOT_SENT, planStates } from '#app/_features/plan/state-words.ts';
import { TRIAL } from '#server/core/trial.ts';

type Today = Partial<Record<'failed' | 'unknown' | 'expired' | 'cancelled' | 'refused', number>>;

const WORDS: Record<number, string> = { 1: 'One', 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

export const overview = {
  title: 'Overview',
  verdict: {
    steps: (left: number) =>
      `${WORDS[left] ?? String(left)} ${left === 1 ? 'step' : 'steps'} to your first message`,
    first: 'Send your first message',
    firstLead: 'In a sandbox, without a real phone. It takes less than a minute.',
    stepsLead: 'Each step has a button. You can return to this page at any time.',
    need: (need: number, all: number) =>
      need === all
        ? all === 1
          ? 'Your number needs attention'
          : `All ${all} numbers need attention`
        : `${need} of ${all} numbers ${need === 1 ? 'needs' : 'need'} attention`,
    plan: 'Sending is stopped',
    well: (all: number) => (all === 1 ? 'Your number is connected' : `All ${all} numbers are connected`),
    decide: (count: number) => `${count} ${count === 1 ? 'message needs' : 'messages need'} your decision`,
    decideLead: (names: string[]) =>
      `On ${names.join(', ')}, messages were accepted before the number stopped sending. Open the number to send or discard them. New messages are sent as usual.`,
    heldTitle: (count: number, all: number) =>
      all === 1
        ? 'Your number is on hold'
        : `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} on hold`,
    notConnected: (count: number, all: number) =>
      all === 1
        ? 'Your number is not connected'
        : `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} not connected`,
    none: 'No numbers yet',
    noneLead: 'Add one to send from it.',
    someWell: (count: number) =>
      count === 0 ? '' : ` ${count} ${count === 1 ? 'is' : 'are'} sending normally.`,
    othersWell: (count: number) =>
      count === 0
        ? ''
        : count === 1
          ? ' The other one is sending normally.'
          : ` The other ${count} are sending normally.`,
    held: (names: string[]) =>
      names.length === 0
        ? ''
        : names.length === 1
          ? `${names[0]} is on hold and sends nothing until you release it.`
          : `${names.length} are on hold and send nothing until you release them.`,
    beyond: (count: number, all: number) =>
      `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} not included in the plan`,
    beyondLead:
      'They stay linked but send nothing. An owner can choose which numbers stay active, or extend the plan.',
    alsoBeyond: (count: number) =>
      count === 0 ? '' : ` ${count} more ${count === 1 ? 'is' : 'are'} not included in the plan.`,
    openPlan: planStates.open,
    /** How many messages of today ended in each state, or were refused, and how many of them were sent again. */
    wellLead: (today: Today, sentAgain: Today | null, sending: boolean) => {
      const again = (state: keyof Today) => {
        const [all = 0, count = 0] = [today[state], sentAgain?.[state]];
        if (count === 0) return '';
        return count < all ? ` (${count} sent later)` : all === 1 ? ' (sent later)' : ' (all sent later)';
      };
      const unsent = (['failed', 'expired', 'cancelled', 'refused'] as const)
        .filter((state) => today[state])
        .map((state) => `${today[state]} ${state}${again(state)}`);
      const lead = [
        unsent.length > 0 && `Not sent today: ${unsent.join(', ')}.`,
        today.unknown && `Not confirmed today: ${today.unknown}${again('unknown')}.`,
      ].filter(Boolean);
      if (lead.length > 0) return lead.join(' ');
      return sending ? 'Messages are being sent.' : 'Ready to send.';
    },
    trial: 'You are trying Wirebird',
    trialLead: (left: number, requested: boolean) =>
      `${left} of ${TRIAL.messagesPerDay} messages ${left === 1 ? 'is' : 'are'} left today, only from the dashboard. ${requested ? 'The administrator has your request for a plan.' : 'Request a plan to link your own phone and use the API.'}`,
    askPlan: 'Request a plan',
    planOff: 'The plan of this account is not active.',
    planLead:
      'You can send again as soon as a payment is recorded. Messages that were cancelled are not sent later.',
    suspendedLead: 'Nothing is deleted. Ask the administrator to resume it.',
  },
  /** What a new account does to get started. */
  steps: {
    label: 'Get started',
    first: {
      title: 'Try it in the sandbox',
      text: 'A sandbox number, its phone and a key are made for you.',
      trialText: `Try it before you pay: a sandbox number and its phone are made for you. You can send ${TRIAL.messagesPerDay} messages a day from the dashboard.`,
      do: 'Send a first message',
    },
    ownPlan: {
      title: 'Enable your own plan',
      text: 'You are the administrator: choose how many numbers your account can link, and until when.',
      do: 'Enable the plan',
    },
    plan: {
      title: 'Request a plan',
      text: (price: number) =>
        `Your own phones and the API require a plan, ${price} euros a month for each number. The administrator enables it after payment.`,
      do: 'Open the plan',
    },
    requested: {
      title: 'Wait for your plan',
      text: 'The administrator has your request, and enables the plan when your payment arrives. You get an alert then.',
      do: 'Open the plan',
    },
    phone: {
      title: 'Link your own phone',
      text: 'Scan a code with the phone, as you would for WhatsApp Web. It takes about a minute.',
      needsPlan: 'It needs a plan first.',
      do: 'Link phone',
      again: (name: string) => `Link ${name}`,
    },
    key: {
      title: 'Create an API key',
      text: 'Your program sends the key with each request. It is shown once, with a command to try it.',
      do: 'Create key',
    },
    send: {
      title: 'Send your first message',
      text: 'Paste the command shown with the key, or copy code for your language.',
      do: 'Show sample code',
    },
    pay: {
      title: 'Add payment instructions',
      text: 'Every account sees them under Plan and usage, with a contact for questions.',
      do: 'Add instructions',
    },
    mail: {
      title: 'Set up email',
      text: 'Alerts and password links are then sent by email. Set SMTP_URL and MAIL_FROM where Wirebird is started, then send a test email from Settings.',
      do: 'Open the settings',
    },
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide',
    skip: 'Skip',
    skipped: 'Skipped',
  },
  openNumber: (name: string) => `Open ${name}`,
  linkAgain: (name: string) => `Link ${name} again`,
  addNumber: 'Add a number',

  table: {
    title: 'Today',
    aside: 'Since midnight',
    number: 'Number',
    state: 'State',
    sent: 'Sent',
    failed: 'Failed',
    refused: 'Refused',
    unknown: 'Unknown',
    expired: 'Expired',
    cancelled: 'Cancelled',
    waiting: 'Waiting',
    next: 'Next step',
    all: 'All numbers',
    open: 'Open',
    help: {
      failed: 'Definitely not sent',
      refused: 'Requests to send that were not accepted',
      unknown: 'May have arrived',
      expired: 'Not sent: the deadline passed',
      cancelled: 'Not sent: cancelled before its turn',
    },
    shown: (count: number, what: string, name: string) => `${count} ${what}, ${name}`,
  },
  waiting: {
    emptyIn: (time: string) => `All sent in ${time}`,
    emptyButStopped: (time: string, stopped: string) => `Sent in ${time}, except ${stopped}`,
    unconnected: (many: boolean) => `Resumes when ${many ? 'the numbers are' : 'the number is'} connected`,
    stopped: 'Resumes when sending resumes',
    toDecide: 'Needs your decision',
    scheduled: 'Scheduled for later',
    later: 'Scheduled for later, or waiting until new people can be contacted',
    toNewPeople: 'Waiting until new people can be contacted',
    nothing: 'Nothing waiting',
  },
  chart: {
    title: 'Messages',
    range: 'Range',
    ranges: { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' },
    number: 'Number',
    all: 'All numbers',
    allReal: 'All except sandbox',
    sent: 'Sent',
    failed: 'Failed',
    unknown: 'Unknown',
    notSent: NOT_SENT,
    refused: 'Refused',
    sum: (sent: string, others: string[]) => [`${sent} sent`, ...others].join(', '),
    label: (unit: 'hour' | 'day') => `Messages by ${unit}. Use the arrow keys to read each ${unit}.`,
    now: 'Now',
    today: 'Today',
    zone: (zone: string) => `Times are in the account’s time zone, ${zone}.`,
    refusedKept: (days: number) =>
      `Refused requests are listed for ${days === 1 ? '1 day' : `${days} days`}.`,
  },
  troubles: {
    title: 'Needs\u00a0attention',
    all: (status: string) => `Show all ${status.toLowerCase()}`,
    empty: 'No message needs attention.',
    handled:
      'No message needs attention. Every failed or unconfirmed message of the last 7 days was sent again, confirmed later or dismissed.',
  },
} as const;
