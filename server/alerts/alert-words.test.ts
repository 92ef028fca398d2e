import { expect, test } from 'vitest';
import { ALERTS, type AlertKind } from '#server/core/alerts.ts';
import { settings } from '#server/settings.ts';
import { ALERT_EXAMPLES } from '#server/testing/alert-examples.ts';
import { ALERT_KINDS, KINDS } from './alert-kinds.ts';
import { summaryOf } from './alert-view.ts';
import { mailOf } from './mail-alerts.ts';
import type { Counted } from './queries/counted.ts';

const REFUSED: Counted = { to: ['4915110000001', '4915110000002'], recipients: 4 };
const CANCELLED: Counted = { cancelled: 5, cancelledTo: ['4915110000003'], cancelledRecipients: 5 };
const ANSWER = '{"error":"This number is logged out. Nothing was sent."}';
const AT = new Date('2026-11-23T02:14:00Z');

/** What is counted of a kind, on the page and in its mail. */
function countedOf(kind: AlertKind): { page: Counted; mail: Counted } {
  const { topic, counts, mailCounts } = KINDS[kind];
  if (mailCounts) return { page: {}, mail: { ...REFUSED, refused: 12, unknown: 2 } };
  const both =
    counts && (topic === 'plan' ? { ...REFUSED, ...CANCELLED, refused: 12 } : { ...REFUSED, answer: ANSWER });
  return { page: both ?? {}, mail: both ?? {} };
}

/** What members and administrators read of an alert. */
function saidOf(kind: AlertKind, facts: unknown): string {
  const { page, mail } = countedOf(kind);
  const { only } = KINDS[kind];
  const alert = {
    ...{ kind, facts, happenedAt: AT, numberLabel: 'Shop', phoneNumber: null, timeZone: 'Europe/Berlin' },
    ...{ alertId: 'alt_1', userId: 'usr_1', email: 'ann@heron.example', accountId: 'acc_1', tries: 1 },
  };
  const due = {
    ...{
      ...alert,
      ...mail,
      accountName: 'Heron',
      numberId: only || page.cancelled ? null : 'num_1',
      waiting: 3,
    },
    ...{ scheduled: 1, countedUntil: AT, numbersIncluded: 2, membersMailed: true, digest: false },
  };
  const shown = summaryOf({ ...alert, ...page, id: 'alt_1', endedAt: null });
  const own = mailOf({ ...due, member: only !== 'administrators' }, 'Eve Stone, eve@wirebird.example').letter;
  const others = only ? null : mailOf({ ...due, member: false }).letter;
  const leadsTo = ({ label, href }: { label: string; href: string }) =>
    `${label}, ${href.slice(settings.publicUrl.length)}`;
  const said = own.paragraphs.join('\n');
  // Without what a mail says as the page does.
  const lines = {
    title: own.title === shown.title ? own.title : `${shown.title} | mail: ${own.title}`,
    page: shown.what,
    'to do': shown.todo,
    mail: said === shown.what ? null : said,
    'its to do': own.todo === shown.todo ? null : own.todo,
    button: [own.button, own.link].flatMap((link) => (link ? leadsTo(link) : [])).join(' | '),
    operator: others && others.todo !== own.todo ? others.todo : null,
  };
  return [
    `${kind}${facts === null ? '' : ` ${JSON.stringify(facts)}`}`,
    ...Object.entries(lines).flatMap(([name, text]) =>
      text ? `  ${`${name}:`.padEnd(11)}${text.replaceAll('\n', `\n${' '.repeat(13)}`)}` : [],
    ),
  ].join('\n');
}

test('what page and mail say of each kind of alert is reviewed in one file', async () => {
  const said = (Object.keys(ALERTS) as AlertKind[]).flatMap((kind) =>
    ALERT_EXAMPLES[kind].map((facts) => saidOf(kind, facts)),
  );
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./alert-words.golden.txt');
});

test('each kind that has words is found, and each that is found has words', () => {
  expect(ALERT_KINDS.toSorted()).toEqual(Object.keys(ALERTS).toSorted());
});

test('each kind is found by a query or follows another one that lasts', () => {
  for (const kind of ALERT_KINDS) {
    const { find, follows } = KINDS[kind];
    expect([kind, find === undefined]).toEqual([kind, follows !== undefined]);
    if (follows) expect([kind, KINDS[follows.kind].lasts]).toEqual([kind, expect.any(Function)]);
  }
});
