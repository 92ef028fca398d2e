import type { AlertWords } from '#server/core/alert.ts';
import { ALERTS, type AlertKind } from '#server/core/alerts.ts';
import { howToPay } from '#server/plans/how-to-pay.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import type { Letter } from '#server/platform/mail/letter.ts';
import type { Mail, Mailer } from '#server/platform/mail/mailer.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { settings } from '#server/settings.ts';
import { timeText, wordsOf } from './alert-view.ts';
import { claimMail, type DueMail, settleMail } from './queries/alert-mails.ts';

const AGAIN_SECONDS = [20, 60, 120, 300, 600];

/** So many mails are sent at a time: a mail server may take a second for each. */
const AT_ONCE = 4;

/**
 * Sends the alert mails that are due; each is sent by one process. After a temporary failure the rest is sent later.
 * Returns how many were sent.
 */
export async function mailAlerts(context: InstallationContext, mailer: Mailer): Promise<number> {
  const sending = Array.from({ length: AT_ONCE }, () => mailInTurn(context, mailer));
  // Also after an error of one, nothing is still being sent when this ends.
  await Promise.allSettled(sending);
  return (await Promise.all(sending)).reduce((sum, sent) => sum + sent, 0);
}

/** Sends one due mail after the other, until none is left or one fails temporarily. Returns how many were sent. */
async function mailInTurn({ database }: InstallationContext, mailer: Mailer): Promise<number> {
  for (let sent = 0; ; ) {
    const due = await claimMail(database);
    const [first] = due;
    if (!first) return sent;
    const { userId, tries } = first;
    const alertIds = due.map(({ alertId }) => alertId);
    try {
      const { contactName, contactAddress } = await howToPay({ database });
      const contact = [contactName, contactAddress].filter((part) => part !== '').join(', ');
      await mailer.send(first.digest ? digestOf(due, contact) : mailOf(first, contact));
    } catch (error) {
      const refused = isRefusedPermanently(error);
      metrics().mails.inc({ result: refused ? 'refused' : 'failed' });
      log.warn({ err: error, alertIds, userId, tries, refused }, 'the mail of an alert was not sent');
      const againInSeconds = refused ? null : (AGAIN_SECONDS[tries - 1] ?? AGAIN_SECONDS.at(-1) ?? 600);
      await settleMail(database, { alertIds, userId, sent: false, againInSeconds });
      if (refused) continue;
      return sent;
    }
    // If this write fails, the claim keeps other processes from sending the mail again.
    await settleMail(database, { alertIds, userId, sent: true });
    sent += 1;
    metrics().mails.inc({ result: 'sent' });
  }
}

/** Whether the mail server refuses this mail, and would refuse it again. */
function isRefusedPermanently(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { responseCode, code } = error as Error & { responseCode?: number; code?: string };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
}

/** The mail of an alert to one of its receivers. `contact`: whom a member can ask; empty if nobody is named. */
export function mailOf(due: DueMail, contact = ''): Mail {
  const { title, what, todo } = wordsFor(due, contact);
  return {
    to: due.email,
    subject: `${title} – ${due.accountName}`,
    // The same for every attempt, so that a mailbox recognises a copy.
    id: `${due.alertId}.${due.userId}`,
    letter: {
      title,
      facts: [
        ['Account', due.accountName],
        ['Time', timeText(due.happenedAt, due.timeZone ?? settings.timeZone)],
      ],
      paragraphs: what.split('\n'),
      todo,
      button: buttonOf(due),
      ...linkOf(due),
      foot: settingsFoot(),
    },
  };
}

/** Alerts whose remedy is a decision or a phone of the customer. */
const CUSTOMERS: readonly AlertKind[] = [
  'logged_out',
  'blocked',
  'conflict',
  'to_decide',
  'waiting_cancelled',
  'waiting_expired',
];

/** Alerts whose remedy is a payment. */
const PAYABLE: readonly AlertKind[] = ['plan_7_days', 'plan_1_day', 'plan_grace', 'plan_ended'];

/** A member reads whom to contact. An administrator who is not a member reads who must act. */
function wordsFor(due: DueMail, contact: string): AlertWords {
  if (due.member) return wordsOf(due, contact);
  // Recipients are for the account's own members.
  const words = wordsOf({ ...due, to: null, answer: null, cancelledTo: null });
  const pays = PAYABLE.includes(due.kind);
  if (!pays && !CUSTOMERS.includes(due.kind)) return words;
  const act = pays ? 'pay' : 'act';
  const who = due.membersMailed
    ? `The customer gets this email too and must ${act}.`
    : `The customer must ${act}, and gets no email about this.`;
  const then = pays ? 'When the payment has arrived, open the account and extend the plan.' : words.todo;
  return { ...words, todo: `${who} ${then}` };
}

/** One mail with the alerts of a day, oldest first, for one receiver. `contact`: as in {@link mailOf}. */
export function digestOf(due: readonly DueMail[], contact = ''): Mail {
  const first = due[0];
  if (!first) throw new Error('a digest without alerts');
  const buttons = due.map(buttonOf);
  const sameTarget = buttons.every(({ href }) => href === buttons[0]?.href);
  const names = new Set(due.map(({ accountName }) => accountName));
  const title = `${due.length} ${due.length === 1 ? 'alert' : 'alerts'} since yesterday`;
  return {
    to: first.email,
    subject: [title, ...(names.size === 1 ? names : [])].join(' – '),
    id: `${first.alertId}.${first.userId}.digest`,
    letter: {
      title,
      paragraphs: [],
      sections: due.map((alert) => {
        const { title, what, todo } = wordsFor(alert, contact);
        const at = timeText(alert.happenedAt, alert.timeZone ?? settings.timeZone);
        return { title, note: `${alert.accountName}, ${at}`, text: what, todo, ...linkOf(alert) };
      }),
      button: sameTarget && buttons[0] ? buttons[0] : { label: 'Open Wirebird', href: settings.publicUrl },
      foot: settingsFoot(),
    },
  };
}

/** Lists that show one number. */
const OF_NUMBER: readonly string[] = ['/requests?show=unsent', '/messages?status=expired'];
const settingsFoot = () => `Choose which alerts you get by email, and when: ${settings.publicUrl}/account`;

/**
 * A button that opens the page about the alert. An administrator who is not a member gets the page about the
 * account, because other pages show the administrator's own account.
 */
function buttonOf({ kind, numberId, member, accountId, cancelled }: DueMail): Letter['button'] {
  // What the mail asks for is there, except while the plan must be paid first.
  const page = cancelled && kind !== 'plan_ended' ? CANCELLED.page : ALERTS[kind].page;
  const at = (path: string) => settings.publicUrl + path;
  if (!member && !page.startsWith('/admin/'))
    return { label: 'Open the account', href: at(`/admin/accounts/${accountId}`) };
  if (page === 'number') return { label: 'Open the number', href: at(`/numbers/${numberId ?? ''}`) };
  const filter = OF_NUMBER.includes(page) && numberId ? `&number=${numberId}` : '';
  return { label: LABELS[page], href: at(page + filter) };
}

/** A link to what a mail counts beside its button, for members: the page shows an account of the reader. */
function linkOf({ kind, refused, cancelled, numberId, member }: DueMail): Pick<Letter, 'link'> {
  if (!member) return {};
  const link = (label: string, page: string) => ({ link: { label, href: settings.publicUrl + page } });
  if (kind === 'plan_ended' && cancelled) return link(CANCELLED.label, CANCELLED.page);
  if (!refused && !OFF.includes(kind)) return {};
  const cause = numberId === null ? 'plan_inactive' : `not_connected&number=${numberId}`;
  return link('Show refused requests', `/requests?show=unsent&code=${cause}`);
}

/** Alerts about a number that refuses requests from now on. */
const OFF: readonly AlertKind[] = ['logged_out', 'blocked', 'conflict', 'suspended', 'disconnected'];
const CANCELLED = { label: 'Show cancelled messages', page: '/messages?status=cancelled' } as const;
const LABELS: Record<Exclude<(typeof ALERTS)[AlertKind]['page'], 'number'>, string> = {
  '/account/plan': 'Open the plan',
  '/admin/accounts': 'Open Accounts',
  '/admin/health': 'Open Queue health',
  '/admin/whatsapp-web': 'Open WhatsApp Web',
  '/admin/workers': 'Open Workers',
  '/messages': 'Open Messages',
  '/messages?status=cancelled': 'Open Messages',
  '/messages?status=expired': 'Open Messages',
  '/requests?show=unsent': 'Open Requests',
  '/webhooks': 'Open Webhooks',
};
