import type { Outputs } from '#app/_trpc/client.ts';
import { operation } from './operation-words.ts';

const texts = operation.health;
type Judged = Pick<Outputs['admin']['health'], 'noneCanSend' | 'needPerson' | 'troubles'> &
  Record<'undecided' | 'unclear', { messages: number }>;

/** Whether messages are sent as they should be, and what waits for a person, in a title and a sentence. */
export function healthVerdict(health: Judged): { title: string; lead?: string } {
  const { troubles, noneCanSend, needPerson, undecided, unclear } = health;
  if (troubles.length > 0) return { title: texts.unwell(troubles.length) };
  const messages = undecided.messages + unclear.messages;
  const decide = messages > 0 ? [texts.decide(messages)] : [];
  if (noneCanSend)
    return {
      title: [texts.noneCanSend, ...decide].join('. '),
      lead: texts.noneCanSendText,
    };
  const needs = [...(needPerson > 0 ? [texts.needOwner(needPerson)] : []), ...decide];
  return {
    title: needs.length === 0 ? texts.well : `${texts.working} ${needs.join(', ')}`,
    lead: texts.wellText(needPerson),
  };
}
