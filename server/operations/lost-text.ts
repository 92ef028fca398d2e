import { type LostAccount, type LostMessages, messagesIn } from './queries/lost.ts';

export const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** `12 messages (9 sent, 1 unknown, 2 waiting)` */
export function lostMessagesText(messages: LostMessages): string {
  const { sent, unknown, waiting, notSent } = messages;
  const parts = [
    sent > 0 && `${sent} sent`,
    unknown > 0 && `${unknown} unknown`,
    waiting > 0 && `${waiting} waiting`,
    notSent > 0 && `${notSent} not sent`,
  ];
  return `${plural(messagesIn(messages), 'message', 'messages')} (${parts.filter(Boolean).join(', ')})`;
}

/** What an account lost, in one line. */
export function lostText(lost: LostAccount): string {
  return joined(lost.whole ? 'the whole account' : '', [lost]);
}

/** What all accounts lost, in one line. */
export function lostInAllText(lost: readonly LostAccount[]): string {
  const whole = lost.filter((account) => account.whole).length;
  return joined(whole > 0 ? plural(whole, 'account', 'accounts') : '', lost);
}

function joined(whole: string, lost: readonly LostAccount[]): string {
  const messages: LostMessages = { sent: 0, unknown: 0, waiting: 0, notSent: 0 };
  for (const of of lost.flatMap(({ ofNumbers }) => ofNumbers))
    for (const name of Object.keys(messages) as (keyof LostMessages)[]) messages[name] += of.messages[name];
  const parts = [
    whole,
    messagesIn(messages) > 0 && lostMessagesText(messages),
    ...COUNTED.map(([name, one, many]) => {
      const count = lost.reduce((sum, account) => sum + Number(account[name]), 0);
      return count > 0 && plural(count, one, many);
    }),
  ];
  return parts.filter(Boolean).join(', ');
}

const COUNTED = [
  ['keys', 'API key', 'API keys'],
  ['numbers', 'number', 'numbers'],
  ['members', 'member', 'members'],
  ['webhooks', 'webhook endpoint', 'webhook endpoints'],
  ['payments', 'payment', 'payments'],
  ['planChanged', 'change of the plan', 'changes of plans'],
  ['revokedKeys', 'revoked API key that works again', 'revoked API keys that work again'],
] as const satisfies readonly (readonly [keyof LostAccount, string, string])[];
