import { expect, test } from 'vitest';
import { settings } from '#server/settings.ts';
import { digestOf, mailOf } from './mail-alerts.ts';

const DUE = {
  ...{
    alertId: 'alt_1',
    userId: 'usr_1',
    email: 'ann@example.com',
    accountId: 'acc_1',
    accountName: 'Heron',
  },
  ...{
    member: true,
    timeZone: null,
    numberId: 'num_1',
    numberLabel: 'Shop',
    phoneNumber: null,
    waiting: 0,
    scheduled: 0,
    refused: 0,
    unknown: null,
    to: null,
    recipients: null,
    answer: null,
    countedUntil: new Date(0),
    cancelled: null,
    cancelledTo: null,
    cancelledRecipients: null,
    numbersIncluded: 2,
    membersMailed: true,
  },
  ...{ tries: 1, digest: false, facts: null, happenedAt: new Date(0) },
} as const;
const pageOf = (due: Parameters<typeof mailOf>[0]) => {
  const { pathname, search } = new URL(mailOf(due).letter.button.href);
  return pathname + search;
};

test('the button of a mail leads to what it is about', () => {
  expect(pageOf({ ...DUE, kind: 'logged_out' })).toBe('/numbers/num_1');
  expect(pageOf({ ...DUE, kind: 'requests_refused' })).toBe('/requests?show=unsent&number=num_1');
  expect(pageOf({ ...DUE, kind: 'plan_ended', numberId: null })).toBe('/account/plan');
});

test('a mail about an endpoint that was switched off names the days of the setting', () => {
  const { letter } = mailOf({ ...DUE, kind: 'webhook_off', numberId: null });
  expect(JSON.stringify(letter)).toContain(`They are kept for up to ${settings.webhookRetentionDays} days.`);
});

test('an administrator who is not a member gets a link to the page about the account', () => {
  expect(pageOf({ ...DUE, kind: 'logged_out', member: false })).toBe('/admin/accounts/acc_1');
});

test('a mail about a lost number counts the refused requests and links to them, for members only', () => {
  const lost = { ...DUE, kind: 'logged_out', refused: 12 } as const;
  const { paragraphs, link } = mailOf(lost).letter;
  expect(paragraphs.join(' ')).toContain(
    '12 requests to send were refused since it was last connected, up to 00:00 UTC. They were not sent. Wirebird does not keep the text of refused requests. If a message is still needed, send it again from your own system or by hand.',
  );
  expect(link?.href).toMatch(/\/requests\?show=unsent&code=not_connected&number=num_1$/);
  expect(digestOf([{ ...lost, digest: true }]).letter.sections?.[0]?.link).toEqual(link);
  expect(mailOf({ ...lost, member: false }).letter.link).toBeUndefined();
});

test('a mail about a lost number says what happens to requests while none was refused', () => {
  for (const kind of ['logged_out', 'blocked', 'conflict', 'suspended', 'disconnected'] as const) {
    const { letter } = mailOf({ ...DUE, kind });
    expect(letter.paragraphs.join(' '), kind).toMatch(
      /New messages are refused \(409.*\) until it is \w+\. Refused messages are not sent later; Requests lists them\./,
    );
    expect(letter.link?.href, kind).toContain('/requests?show=unsent&code=not_connected&number=num_1');
  }
});

test('a mail about a number that is connected again counts what was refused, and one refused request is one', () => {
  for (const kind of ['recovered', 'to_decide'] as const) {
    const { letter } = mailOf({
      ...DUE,
      kind,
      facts: kind === 'to_decide' ? { count: 3, scheduled: 0 } : null,
      refused: 1,
    });
    expect(letter.paragraphs.join(' '), kind).toContain(
      '1 request to send was refused while it was not connected. It was not sent. Wirebird does not keep the text of refused requests.',
    );
    expect(letter.link?.href, kind).toContain('number=num_1');
    expect(mailOf({ ...DUE, kind, refused: 0 }).letter.paragraphs.join(' '), kind).not.toMatch(/request/);
  }
});

test('a mail about a number that is connected again speaks of unknown messages only if there are some', () => {
  const recovered = { ...DUE, kind: 'recovered' } as const;
  expect(mailOf({ ...recovered, unknown: 2 }).letter.todo).toBe(
    '2 messages are marked unknown: they may have arrived. Look at their chats on the phone before you send them again.',
  );
  for (const unknown of [0, null])
    expect(JSON.stringify(mailOf({ ...recovered, unknown, refused: 1 }))).not.toContain('unknown');
});

test('a mail about a number that a restore logged out counts its unknown messages', () => {
  const text = (unknown: number) =>
    mailOf({ ...DUE, kind: 'logged_out', unknown }).letter.paragraphs.join(' ');
  expect(text(1)).toContain(
    '1 message is marked unknown: it may have arrived. Look at its chat on the phone before you send it again.',
  );
  expect(text(0)).not.toContain('unknown');
});

test('a mail about messages that a restore or a move expired says how many, why, and leads to them', () => {
  const expired = { ...DUE, kind: 'waiting_expired' } as const;
  const moved = mailOf({ ...expired, facts: { count: 2, moved: true } }).letter;
  expect(moved.title).toBe('2 messages were not sent from Shop and expired');
  expect(moved.paragraphs[0]).toBe(
    'The service was moved to another machine while they waited. They were not sent, and will not be sent later.',
  );
  expect(pageOf({ ...expired, facts: { count: 2, moved: true } })).toBe(
    '/messages?status=expired&number=num_1',
  );
  const restored = mailOf({ ...expired, facts: { count: 1, moved: false } }).letter;
  expect(restored.title).toBe('1 message was not sent from Shop and expired');
  expect(restored.paragraphs[0]).toContain(
    'The service was restored from a backup in which it was still waiting.',
  );
});

test('a mail about refused requests names their recipients and the response, for members only', () => {
  const refused = {
    ...({ ...DUE, kind: 'requests_refused', timeZone: 'Europe/Berlin' } as const),
    ...{ facts: { count: 21, code: 'not_connected' }, recipients: 9 },
    ...{ to: ['491511', '491512', '491513', '491514', 'x@g.us'], answer: '{"error":"It is logged out."}' },
  } as const;
  const { paragraphs, todo } = mailOf(refused).letter;
  expect(paragraphs[0]).toBe(
    'In the 10 minutes up to 01:00 CET: 21 requests to send were refused, most often with not_connected. The most frequent response: “It is logged out.” To 491511, 491512, 491513, 491514, x@g.us and 4 more. They were not sent. Wirebird does not keep the text of refused requests.',
  );
  expect(todo).toContain('If a message is still needed, send it again');
  expect(JSON.stringify(mailOf({ ...refused, member: false }))).not.toMatch(/491511|logged out/);
});

test('a mail about a recovery leads to the messages that a change of the phone number cancelled', () => {
  const now = { access: 'ok', status: 'CONNECTED', held: false };
  const recovered = { ...DUE, kind: 'recovered', facts: { now, phoneEnd: '7386' } } as const;
  expect(pageOf({ ...recovered, cancelled: 2 })).toBe('/messages?status=cancelled');
  expect(mailOf({ ...recovered, cancelled: 2 }).letter.paragraphs).toEqual([
    'Its phone number now ends in 7386. 2 messages that waited or were scheduled were cancelled by the change and are not sent later. Open them under Messages, and send again what is still needed. New messages are sent at its interval.',
  ]);
  expect(mailOf({ ...recovered, cancelled: 2 }).letter.todo).toBe(
    'Send again what was cancelled and is still needed.',
  );
  expect(mailOf({ ...recovered, cancelled: 0 }).letter.todo).toBe('Nothing.');
});

test('a digest names each alert with its account, and leads to the page when all are about the same', () => {
  const shop = { ...DUE, kind: 'logged_out', digest: true } as const;
  const { subject, letter } = digestOf([shop, { ...shop, alertId: 'alt_2', kind: 'recovered' }]);
  expect(subject).toBe('2 alerts since yesterday – Heron');
  expect(letter.sections?.map(({ title }) => title)).toEqual([
    'Shop is logged out',
    'Shop is connected again',
  ]);
  expect(letter.sections?.[0]).toMatchObject({
    note: expect.stringMatching(/^Heron, /),
    todo: expect.stringContaining('Link again'),
  });
  expect(letter.button.href).toMatch(/\/numbers\/num_1$/);
  const other = digestOf([shop, { ...shop, numberId: 'num_2', accountName: 'Sons' }]);
  expect(other.subject).toBe('2 alerts since yesterday');
  expect(other.letter.button.label).toBe('Open Wirebird');
});

test('a mail that asks a member to contact the administrator names the operator’s contact', () => {
  const contact = 'Eve Stone, eve@wirebird.example';
  const todoOf = (kind: 'plan_7_days' | 'suspended' | 'disconnected', of = {}, who = contact) =>
    mailOf({ ...DUE, kind, facts: kind.startsWith('plan') ? { paidUntil: '2026-11-30' } : null, ...of }, who)
      .letter.todo;
  expect(todoOf('plan_7_days')).toContain(`contact the administrator (${contact}), who enables`);
  expect(todoOf('suspended')).toMatch(
    /^Ask the administrator \(Eve Stone, eve@wirebird\.example\) to resume/,
  );
  expect(todoOf('disconnected')).toContain(`the administrator (${contact}) should run`);
  expect(todoOf('suspended', {}, '')).toMatch(/^Ask the administrator to resume/);
  expect(todoOf('disconnected', { member: false })).not.toContain(contact);
  const digest = digestOf([{ ...DUE, kind: 'suspended', digest: true }], contact);
  expect(digest.letter.sections?.[0]?.todo).toContain(contact);
  const full = 'The disk is full. The administrator of this server should make room.';
  const gone = { code: 'legacy', text: full };
  const { paragraphs, todo } = mailOf({ ...DUE, kind: 'logged_out', facts: gone }, contact).letter;
  expect(paragraphs[0]).toContain(full);
  expect(todo).toContain(`If you need help, contact the administrator (${contact}).`);
  expect(mailOf({ ...DUE, kind: 'logged_out', facts: gone }).letter.todo).not.toContain('help');
});

test('an administrator who is not a member reads that the customer must pay, and what to do then', () => {
  const ends = { ...DUE, kind: 'plan_1_day', facts: { paidUntil: '2026-11-30' }, member: false } as const;
  expect(mailOf(ends).letter.todo).toBe(
    'The customer gets this email too and must pay. When the payment has arrived, open the account and extend the plan.',
  );
});

test('a mail that asks for an action does not begin with “Nothing”', () => {
  for (const kind of ['plan_paid', 'plan_enabled'] as const)
    expect(mailOf({ ...DUE, kind, facts: { paidUntil: '2026-11-30' } }).letter.todo, kind).not.toMatch(
      /^Nothing/,
    );
  expect(mailOf({ ...DUE, kind: 'recovered', refused: 2 }).letter.todo).toMatch(
    /^Send again what was refused/,
  );
});

test('a mail about a payment counts the messages that the plan’s end cancelled and leads to them', () => {
  const paid = {
    ...DUE,
    kind: 'plan_paid',
    numberId: null,
    facts: { paidUntil: '2026-12-25', amountCents: 5000 },
  } as const;
  const some = mailOf({ ...paid, cancelled: 5 }).letter;
  expect(some.paragraphs[0]).toContain(
    'You can send again, and linked phones stay linked. 5 waiting or scheduled messages were cancelled when the plan ended. They are not sent later.',
  );
  expect(some.todo).toMatch(
    /^Messages were cancelled: open those under Messages, and send again what you still need\./,
  );
  expect(pageOf({ ...paid, cancelled: 5 })).toBe('/messages?status=cancelled');
  const none = mailOf({ ...paid, cancelled: 0 }).letter;
  expect(none.todo).toBe('Nothing. No message was cancelled, and no request to send was refused.');
  expect(none.paragraphs[0]).toContain('While the plan did not work, no message was cancelled');
  expect(pageOf({ ...paid, cancelled: 0 })).toBe('/account/plan');
  expect(mailOf({ ...paid, cancelled: 0, refused: null }).letter.paragraphs[0]).toBe(
    'The amount is 50.00 euros. The plan is paid until 25 December 2026. You can send.',
  );
  const lost = mailOf({ ...paid, cancelled: 0, refused: 3, to: ['491511'], recipients: 2 }).letter;
  expect(lost.paragraphs[0]).toContain(
    '3 requests to send were refused while the plan did not work, to 491511 and 1 more. They are not sent later.',
  );
  expect(lost.link?.href).toMatch(/\/requests\?show=unsent&code=plan_inactive$/);
});

test('the mail about a plan’s end says first when it ended, what was cancelled and refused, and to whom, for members only', () => {
  const ended = {
    ...({
      ...DUE,
      kind: 'plan_ended',
      numberId: null,
      facts: { paidUntil: '2026-11-23' },
      cancelled: 5,
    } as const),
    ...{
      cancelledTo: ['491511', '491512'],
      cancelledRecipients: 4,
      refused: 1,
      to: ['491513'],
      recipients: 1,
    },
    ...{ timeZone: 'Europe/Berlin', happenedAt: new Date('2026-11-26T23:00:00Z') },
  };
  const { letter } = mailOf(ended);
  expect(letter.paragraphs[0]).toBe(
    'The plan of Heron ended on 26 November 2026 at 23:00 (UTC). It was paid until 23 November 2026.',
  );
  expect(letter.paragraphs[1]).toMatch(
    /^5 waiting or scheduled messages were cancelled when the plan ended, to 491511, 491512 and 2 more\. 1 request to send was refused since it ended, up to 01:00 CET, to 491513\. They are not sent later\./,
  );
  expect(letter.todo).toMatch(
    /Afterwards, send again what you still need\. .* send those from your own system\.$/,
  );
  expect(letter.button.href).toMatch(/\/account\/plan$/);
  expect(letter.link).toEqual({
    label: 'Show cancelled messages',
    href: `${settings.publicUrl}/messages?status=cancelled`,
  });
  expect(mailOf({ ...ended, cancelled: 0, refused: 0 }).letter.paragraphs[1]).toBe(
    'No message was waiting, so none was cancelled.',
  );
  const operators = mailOf({ ...ended, member: false }).letter;
  expect(JSON.stringify(operators)).not.toContain('4915');
  expect(operators.link).toBeUndefined();
});

test('an administrator who is not a member reads that the customer must act, and whether an email reached the customer', () => {
  const operators = { ...DUE, kind: 'logged_out', member: false } as const;
  expect(mailOf(operators).letter.todo).toMatch(
    /^The customer gets this email too and must act\. If the phone/,
  );
  expect(mailOf({ ...operators, membersMailed: false }).letter.todo).toMatch(
    /^The customer must act, and gets no email about this\./,
  );
  expect(mailOf({ ...DUE, kind: 'logged_out' }).letter.todo).not.toContain('The customer');
});
