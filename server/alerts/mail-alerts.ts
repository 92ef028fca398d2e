import type { AlertWords } from '#server/core/alert.ts';
import { howToPay } from '#server/plans/how-to-pay.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import type { Letter } from '#server/platform/mail/letter.ts';
import type { Mail, Mailer } from '#server/platform/mail/mailer.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { settings } from '#server/settings.ts';
import { ADMINISTRATORS_ALERTS, KINDS, kindsBy, MEMBERS_ALERTS } from './alert-kinds.ts';
import { timeText, wordsOf } from './alert-view.ts';
import { type AlertPage, PAGES } from './kinds/kind.ts';
import { claimMail, type DueMail, settleMail } from './queries/alert-mails.ts';
import { countedOf } from './queries/counted.ts';

/** Who is mailed which kinds, and what their mails count. */
const MAILED = {
  members: MEMBERS_ALERTS,
  administrators: ADMINISTRATORS_ALERTS,
  counted: countedOf(
    'a',
    kindsBy(({ counts, mailCounts = [] }) => [counts, ...mailCounts]),
  ),
};

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
    const due = await claimMail(database, MAILED);
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

/** A member reads whom to contact. An administrator who is not a member reads who must act. */
function wordsFor(due: DueMail, contact: string): AlertWords {
  if (due.member) return wordsOf(due, contact);
  // Recipients are for the account's own members.
  const words = wordsOf({ ...due, to: null, answer: null, cancelledTo: null });
  const { customer } = KINDS[due.kind];
  if (!customer) return words;
  const act = customer === 'pays' ? 'pay' : 'act';
  const who = due.membersMailed
    ? `The customer gets this email too and must ${act}.`
    : `The customer must ${act}, and gets no email about this.`;
  const then =
    customer === 'pays' ? 'When the payment has arrived, open the account and extend the plan.' : words.todo;
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

const settingsFoot = () => `Choose which alerts you get by email, and when: ${settings.publicUrl}/account`;

/**
 * A button that opens the page about the alert. An administrator who is not a member gets the page about the
 * account, because other pages show the administrator's own account.
 */
function buttonOf({ kind, numberId, member, accountId, cancelled }: DueMail): Letter['button'] {
  const { page, customer } = KINDS[kind];
  // What the mail asks for is there, except while the plan must be paid first.
  const { label, path, ofNumber }: AlertPage = cancelled && customer !== 'pays' ? PAGES.cancelled : page;
  const origin = settings.publicUrl;
  if (!member && !path.startsWith('/admin/'))
    return { label: 'Open the account', href: `${origin}/admin/accounts/${accountId}` };
  const own = ofNumber !== undefined && numberId ? ofNumber + numberId : '';
  return { label, href: origin + path + own };
}

/** A link to what a mail counts beside its button, for members: the page shows an account of the reader. */
function linkOf({ kind, refused, cancelled, numberId, member }: DueMail): Pick<Letter, 'link'> {
  if (!member) return {};
  const { customer, state } = KINDS[kind];
  const link = (label: string, page: string) => ({ link: { label, href: settings.publicUrl + page } });
  if (customer === 'pays' && cancelled) return link('Show cancelled messages', PAGES.cancelled.path);
  if (!refused && !state) return {};
  const cause = numberId === null ? 'plan_inactive' : `not_connected&number=${numberId}`;
  return link('Show refused requests', `/requests?show=unsent&code=${cause}`);
}
