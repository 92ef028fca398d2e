import { type LostAccount, type LostMessages, lostCount, messagesIn } from './queries/lost.ts';

/** A count with its noun. */
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
  const { keys, revokedKeys, numbers, members, webhooks, payments } = lost;
  const total: LostMessages = { sent: 0, unknown: 0, waiting: 0, notSent: 0 };
  for (const { messages } of lost.ofNumbers)
    for (const name of Object.keys(total) as (keyof LostMessages)[]) total[name] += messages[name];
  const parts = [
    lost.whole && 'the whole account',
    lostCount(lost) > 0 && lostMessagesText(total),
    keys > 0 && plural(keys, 'API key', 'API keys'),
    numbers > 0 && plural(numbers, 'number', 'numbers'),
    members > 0 && plural(members, 'member', 'members'),
    webhooks > 0 && plural(webhooks, 'webhook endpoint', 'webhook endpoints'),
    payments > 0 && plural(payments, 'payment', 'payments'),
    lost.planChanged && 'a change of the plan',
    revokedKeys > 0 &&
      plural(revokedKeys, 'revoked API key that works again', 'revoked API keys that work again'),
  ];
  return parts.filter(Boolean).join(', ');
}
