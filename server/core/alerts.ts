import { z } from 'zod';
import { ACCESS } from './access.ts';
import { type Alert, type AlertReading, administrator, stating } from './alert.ts';
import {
  afterOutage,
  NOT_KEPT,
  needHelp,
  refusedBefore,
  refusedIn,
  refusedNow,
  refusedTo,
  refusedWhy,
  restoredOn,
  SENT_AGAIN_BY,
  scheduledAmong,
  waitingIn,
} from './alert-sentences.ts';
import { failingSentence } from './failing-kinds.ts';
import { MESSAGE_TYPES } from './message.ts';
import { inUtc } from './new-contacts.ts';
import { Cause } from './number/cause.ts';
import { sayCause } from './number/say.ts';
import { CHECK_TODO, healthWords } from './number-health.ts';
import { NUMBER_STATUSES } from './number-state.ts';
import { refusedMessagesSentence } from './number-status-text.ts';
import { PLAN_ALERTS } from './plan-alerts.ts';
import { replacedSentence } from './replaced-phone.ts';
import { RESTORE_ALERTS } from './restore-alert.ts';
import { FAILING_DAYS_MAX } from './webhooks/backoff.ts';

/** A number that should be connected and is not for this long is an alert. */
export const DISCONNECTED_ALERT_MS = 10 * 60_000;
/** This many failures in a row on one number are an alert. */
export const FAILURES_IN_A_ROW = 5;

/** What decides what happens to new messages of a number; null if it was gone when its alert was raised. */
const Now = z
  .object({ access: z.enum(ACCESS), status: z.enum(NUMBER_STATUSES), held: z.boolean() })
  .nullable();
/** WhatsApp's restriction, or ours (`pause`). Without a limit, WhatsApp only asks for a check. */
const Restriction = z.object({
  limit: z.enum(['timelock', 'cap', 'pause']).nullable(),
  timelockKind: z.string().nullable(),
  checkpoint: z.string().nullable(),
  until: z.iso.datetime({ offset: true }).nullable(),
});
const DiskNote = z.object({ note: z.string().nullable() });

/** The words of each kind of alert, and the facts of which they are made. Mail and dashboard use the same. */
export const ALERTS = {
  logged_out: stating(Cause, (alert) => ({
    title: `${alert.number} is logged out`,
    what: `${said(alert) ?? 'WhatsApp ended the link to this number.'}${restoredOn(alert)}\n${refusedNow('LOGGED_OUT', alert)}${waitingIn(alert, 'If the same phone number is linked again')}`,
    todo: `If the phone number is the same, even on a new phone: open the number, choose “Link again” and scan the code. Then decide whether to send the waiting and scheduled messages. If the phone number changed: choose “Change phone number”. Waiting and scheduled messages are then cancelled. You can send them again under Messages.${needHelp(alert)}`,
  })),
  blocked: stating(Cause, (alert) => ({
    title: `WhatsApp has blocked ${alert.number}`,
    what: `${said(alert) ?? 'WhatsApp disconnected this number.'}\n${refusedNow('BLOCKED', alert)}${waitingIn(alert)}`,
    todo: `Open WhatsApp on the phone. It shows details and lets you request a review of a ban. Do not keep trying: each attempt makes the wait longer.${needHelp(alert)}`,
  })),
  conflict: stating(Cause, (alert) => ({
    title: `${alert.number} is open elsewhere`,
    what: `WhatsApp Web was opened elsewhere with this session, and WhatsApp allows only one at a time.\n${refusedNow('CONFLICT', alert)}${waitingIn(alert)}`,
    todo: 'Choose “Use here” on the number’s page to disconnect the other session. If nobody on your team opened it, check Linked devices on the phone.',
  })),
  suspended: stating(z.object({ reason: z.string() }), (alert) => ({
    title: `${alert.number} is suspended`,
    what: `The administrator has suspended it${alert.facts?.reason ? `: ${alert.facts.reason}` : '.'}\n${refusedNow('SUSPENDED', alert)}${waitingIn(alert, 'Once the number is resumed')} Keys, history and the link are kept.`,
    todo: `Ask ${administrator(alert)} to resume it. If messages wait then, decide whether to send them.`,
  })),
  /** WhatsApp restricts it, or it pauses after refusals. */
  health: stating(Restriction, ({ facts, legacy, number }) =>
    facts?.limit === null
      ? { title: `WhatsApp asks for a check of ${number}`, what: restricted(facts), todo: CHECK_TODO }
      : {
          title: `WhatsApp restricts ${number}`,
          what: `${(facts ? restricted(facts) : legacy) ?? 'It may not start new conversations.'} While this lasts, nothing is sent to new people: a request to one gets 429, unless its message may wait.`,
          todo: 'Open the number. The Health card shows the end of the restriction and what to do. Do not send from another number instead: WhatsApp may restrict both.',
        },
  ),
  disconnected: stating(Cause, (alert) => ({
    title: `${alert.number} has been disconnected for 10 minutes`,
    what: `${said(alert) ?? 'The connection to WhatsApp was lost.'} It is reconnecting automatically.\n${refusedNow('RECONNECTING', alert)}${waitingIn(alert)}`,
    todo: `Check that the phone is on and online. If several numbers are disconnected, the problem is the server: ${administrator(alert)} should run “cli doctor”.`,
  })),
  /** After a state above. */
  recovered: stating(z.object({ now: Now, phoneEnd: z.string().nullable() }), (alert) => ({
    title: `${alert.number} is connected again`,
    what: `${again(alert)}${refusedBefore(alert)}`,
    todo: afterOutage(alert),
  })),
  /** After `suspended`. */
  resumed: stating(z.object({ now: Now }), (alert) => ({
    title: `${alert.number} is no longer suspended`,
    what: ['The administrator has resumed it.', messagesNow(alert)].filter(Boolean).join(' '),
    todo: 'Open the number. If messages wait there, decide whether to send them.',
  })),
  /** After `health`, with the same facts. */
  unrestricted: stating(Restriction, ({ facts, number }) =>
    facts?.limit === null
      ? {
          title: `WhatsApp no longer asks for a check of ${number}`,
          what: 'The check is over. Messages were sent as usual.',
          todo: 'Nothing.',
        }
      : {
          title: `WhatsApp no longer restricts ${number}`,
          what: 'The restriction has ended. New people can be contacted again.',
          todo: 'Contact few new people at first. WhatsApp restricts a number sooner after a restriction.',
        },
  ),
  /** The number sends again: `count` messages need a decision, and `scheduled` of them are scheduled. */
  to_decide: stating(z.object({ count: z.int(), scheduled: z.int() }), (alert) => {
    const { facts, number } = alert;
    const { count, scheduled } = facts ?? { count: null, scheduled: 0 };
    const one = count === 1;
    return {
      title: `${count ?? 'Some'} ${one ? 'message waits' : 'messages wait'} for a decision on ${number}`,
      what: `${one ? 'It was' : 'They were'} accepted before the number stopped sending, and ${one ? 'is' : 'are'} not sent until you decide.${scheduledAmong(scheduled, one)} New messages are sent as usual.${refusedBefore(alert)}`,
      todo: `Open the number and choose whether to send or discard the waiting ${one ? 'message' : 'messages'}. Without a decision, ${one ? 'it expires' : 'they expire'}, usually within 24 hours${scheduled > 0 ? ' or, if scheduled, within 24 hours after that time' : ''}.`,
    };
  }),
  /** `unclear`: how many of the messages in a row may have arrived. */
  failures: stating(z.object({ unclear: z.int() }), ({ facts, number }) => {
    const unclear = facts?.unclear ?? null;
    return {
      title: `${FAILURES_IN_A_ROW} messages in a row ${unclear === 0 ? 'failed' : 'were not confirmed'} on ${number}`,
      what: `${howTheyEnded(unclear)} WhatsApp may restrict a number if this continues.`,
      todo: 'Hold the number, then open its messages and read why they failed. Then release it and send a test message to yourself. Resume normal sending only if it arrives.',
    };
  }),
  /** Its page answers and does not send. */
  not_sending: {
    words: (alert) => ({
      title: `${alert.number} looked connected, but its messages did not leave`,
      what: `WhatsApp Web answered, but several messages in a row were not sent or not confirmed, so the number’s session was restarted. What was certainly not sent is shown as failed, and nothing is sent twice.${waitingIn(alert)}`,
      todo: `Open the number. If it is connected, send a test message to yourself: this alert ends when a message is sent. If it returns, ${administrator(alert)} should update Wirebird; the worker’s log names the cause of each failure and the build of WhatsApp Web.`,
    }),
  },
  build_changed: stating(Cause, (alert) =>
    alert.facts?.code === 'build_replaced'
      ? {
          title: 'A new build of WhatsApp Web does not work',
          what: `${said(alert)} Numbers that loaded it were restarted on the older build. No message was sent with the new build, and none was lost.`,
          todo: 'Update Wirebird soon: WhatsApp removes older builds after days or weeks. “WhatsApp Web” under Administration shows each build.',
        }
      : {
          title: 'WhatsApp Web has changed',
          what: `${said(alert) ?? 'This version of Wirebird does not know the new build.'} Numbers that loaded this build are blocked, and their requests get 409. No message was sent with this build, and none was lost.`,
          todo: 'Update Wirebird. Then choose “Try again” on the page of each blocked number. It connects without its phone.',
        },
  ),
  kinds_failing: stating(
    z.object({ build: z.string(), kinds: z.array(z.enum(MESSAGE_TYPES)).nonempty() }),
    ({ facts }) => ({
      title: 'A build of WhatsApp Web cannot send all kinds of messages',
      what: `${facts === null ? '' : `${failingSentence(facts)} `}Requests of these kinds get 409. Other messages are sent as usual.`,
      todo: 'Update Wirebird if this lasts. What fails is tested again every 10 minutes. “WhatsApp Web” under Administration shows each kind.',
    }),
  ),
  disk_low: stating(DiskNote, ({ facts }) => ({
    title: 'The disk of the server is almost full',
    what: `${facts?.note ?? 'There is little space left.'} Messages with a file get 503 until there is space. Other messages are sent as usual.`,
    todo: 'Free some space, or make the disk larger. “cli doctor” shows how much is needed.',
  })),
  disk_full: stating(DiskNote, ({ facts }) => ({
    title: 'The disk of the server is full',
    what: `${facts?.note ?? 'There is no space left.'} Numbers were disconnected before their stored sessions could be damaged. Requests get 409. The links are kept.`,
    todo: 'Free some space, or make the disk larger. The numbers then reconnect automatically. “cli doctor” shows how much is needed.',
  })),
  disk_recovered: {
    words: () => ({
      title: 'The disk of the server has space again',
      what: 'Files are accepted again, and numbers reconnect. What was refused meanwhile is not sent automatically.',
      todo: 'Nothing. If the disk fills up often, make it larger.',
    }),
  },
  webhook_off: stating(
    z.object({ url: z.string(), why: z.enum(['gone', 'failing']) }),
    ({ facts, legacy, webhookRetentionDays }) => ({
      title: 'A webhook endpoint was switched off',
      what: `${facts === null ? (legacy ?? `It ${WHY_OFF.failing}`) : `${facts.url} ${WHY_OFF[facts.why]}`} It gets no more events. Messages are sent as usual.`,
      todo: `Fix the endpoint and switch it on again under Webhooks. Then replay the events that it missed. They are kept for up to ${webhookRetentionDays} days.`,
    }),
  ),
  webhook_unsigned: stating(z.object({ url: z.string() }), ({ facts }) => ({
    title: 'A webhook endpoint gets no events',
    what: `The signing secret of ${facts?.url ?? 'the endpoint'} cannot be read, so no event can be sent to it. Events wait. Messages are sent as usual.`,
    todo: `Rotate the secret of the endpoint under Webhooks, and give your server the new one. Then replay the events that wait. After ${FAILING_DAYS_MAX} days the endpoint is switched off.`,
  })),
  /** After a restore or a move. */
  waiting_expired: stating(z.object({ count: z.int(), moved: z.boolean() }), ({ facts, number }) => {
    const { count, moved } = facts ?? { count: null, moved: false };
    const one = count === 1;
    const [messages, were] = one ? ['1 message', 'was'] : [`${count ?? 'Some'} messages`, 'were'];
    const why = moved
      ? `The service was moved to another machine while ${one ? 'it' : 'they'} waited.`
      : `The service was restored from a backup in which ${one ? 'it was' : 'they were'} still waiting.`;
    return {
      title: `${messages} ${were} not sent from ${number} and expired`,
      what: `${why} ${one ? 'It was' : 'They were'} not sent, and will not be sent later.`,
      todo: 'Open Messages, which lists what expired. Send again what is still needed, once the number is connected.',
    };
  }),
  /** `code`: the most frequent one. */
  requests_refused: stating(z.object({ count: z.int(), code: z.string() }), (alert) => ({
    title: `Many requests from ${alert.number} are refused`,
    what: `In the 10 minutes up to ${alert.countedUntil}: ${alert.facts === null ? 'many requests' : `${alert.facts.count} requests to send were refused, most often with ${alert.facts.code}`}.${refusedWhy(alert)}${refusedTo(alert)} They were not sent. ${NOT_KEPT}`,
    todo: `Open Requests, which lists what is not sent yet, and read why. Remove the cause first. ${SENT_AGAIN_BY}`,
  })),
  /** After `requests_refused`: the requests of the last 10 minutes. */
  requests_accepted: stating(
    z.object({ refused: z.int(), accepted: z.int() }),
    ({ facts, number, countedUntil }) => ({
      title: `Requests from ${number} are accepted again`,
      what: `In the 10 minutes up to ${countedUntil}: ${facts === null ? 'few refused' : `${facts.refused} refused, ${facts.accepted} accepted`}. Refused requests were not sent. ${NOT_KEPT}`,
      todo: `Open Requests, which lists what is not sent yet. ${SENT_AGAIN_BY}`,
    }),
  ),
  ...RESTORE_ALERTS,
  ...PLAN_ALERTS,
} as const satisfies Record<string, Alert>;

export type AlertKind = keyof typeof ALERTS;

/** What is stored of an alert of this kind. */
export type FactsOf<Kind extends AlertKind> = (typeof ALERTS)[Kind] extends {
  facts: infer Schema extends z.ZodType;
}
  ? z.infer<Schema>
  : never;
export type AlertFacts = { [Kind in AlertKind]: FactsOf<Kind> }[AlertKind];

const Legacy = z.object({ legacy: z.string() });
/** The stored facts of an alert, or the sentence that an earlier version stored. */
export function parseFacts(kind: AlertKind, stored: unknown): Pick<AlertReading, 'facts' | 'legacy'> {
  const { facts }: Alert = ALERTS[kind];
  return {
    facts: facts?.safeParse(stored).data ?? null,
    legacy: Legacy.safeParse(stored).data?.legacy ?? null,
  };
}

const said = (alert: AlertReading<Cause>) => alert.facts && sayCause(alert.facts, alert);

/** What restricts a number, in the words of its page. */
function restricted({ until, ...health }: z.infer<typeof Restriction>): string {
  const { sentence } = healthWords({
    ...{ ...health, capStatus: null, lookUpsPaused: false },
    ...{ messages: 0, notTaken: 0, people: 0, newPeople: 0 },
  });
  return until === null ? sentence : `${sentence} It lasts until ${inUtc(new Date(until))}.`;
}

/** What happens to new messages; null if it is not known. */
const messagesNow = ({ facts, legacy }: AlertReading<{ now: z.infer<typeof Now> }>) =>
  facts?.now ? refusedMessagesSentence(facts.now) : legacy;

function again(alert: AlertReading<{ now: z.infer<typeof Now>; phoneEnd: string | null }>): string {
  const now = messagesNow(alert) ?? refusedIn('CONNECTED');
  const phoneEnd = alert.facts?.phoneEnd;
  return phoneEnd ? `${replacedSentence(phoneEnd, alert.cancelled ?? 0)} ${now}` : now;
}

const WHY_OFF = { gone: 'returned 410.', failing: `failed for ${FAILING_DAYS_MAX} days.` };

/** `unclear`: null in alerts of earlier versions, which hold only how many messages there were. */
function howTheyEnded(unclear: number | null): string {
  if (unclear === null) return 'WhatsApp confirmed none of them.';
  if (unclear === 0) return 'WhatsApp accepted none of them.';
  const failed = FAILURES_IN_A_ROW - unclear;
  const perhaps = `${unclear} ${unclear === 1 ? 'has' : 'have'} no confirmation and may have arrived.`;
  return failed === 0 ? perhaps : `${failed} failed. ${perhaps}`;
}
