import { asksToDecide, type NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { needsSomebody, stopOf } from '#server/core/number-sign.ts';
import { movingOf, refusedMessagesSentence, STATE_MEANINGS } from '#server/core/number-status-text.ts';
import { overview } from './words.ts';

/**
 * The page's first sentence, and what it means. Problems come first: an ended plan, a lost number,
 * then the steps to the first message.
 */
export function verdictOf({
  numbers,
  stepsLeft,
  planWorks,
  planEnded,
  trialLeft,
  planRequested = false,
  today = {},
  sentAgain = null,
}: {
  numbers: NumberItem[];
  /** Steps left to the first message; 0 once it was sent. `sandbox`: one click creates what it needs. */
  stepsLeft: number | 'sandbox';
  planWorks: boolean;
  /** How the plan ended, if it worked before. Then no step to a first message is missing. */
  planEnded: string | null;
  /** Messages that an account without a plan can still send today; null if it cannot try the product. */
  trialLeft: number | null;
  planRequested?: boolean;
  /** Messages of all numbers, and how many of them were sent again. */
  today?: Parameters<typeof overview.verdict.wellLead>[0];
  sentAgain?: Parameters<typeof overview.verdict.wellLead>[1];
}): { title: string; lead: string } {
  const texts = overview.verdict;
  const beyond = numbers.filter(({ access }) => access === 'excess');
  const within = numbers.filter(({ access }) => access !== 'excess');
  const broken = within.filter(needsSomebody);
  const well = numbers.filter((number) => stopOf(number) === null);
  const held = within.filter((number) => number.held && number.status === 'CONNECTED');
  const off = within.filter(({ status }) => status !== 'CONNECTED');
  if (planEnded !== null) return { title: texts.plan, lead: planEnded };
  if (planWorks && broken.length > 0) {
    const [first] = broken;
    const needy = broken.length + beyond.length;
    const others = needy + well.length === numbers.length;
    const rest = (others ? texts.othersWell : texts.someWell)(well.length);
    const why = first ? `${first.name}: ${first.statusReason ?? STATE_MEANINGS[first.status]}` : '';
    return {
      title: texts.need(needy, numbers.length),
      lead: why + texts.alsoBeyond(beyond.length) + rest,
    };
  }
  if (stepsLeft === 'sandbox') return { title: texts.first, lead: texts.firstLead };
  if (stepsLeft > 0) return { title: texts.steps(stepsLeft), lead: texts.stepsLead };
  if (!planWorks && trialLeft !== null)
    return { title: texts.trial, lead: texts.trialLead(trialLeft, planRequested) };
  if (!planWorks) return { title: texts.plan, lead: `${texts.planOff} ${texts.planLead}` };
  const undecided = numbers.filter(asksToDecide);
  if (undecided.length > 0)
    return {
      title: texts.decide(undecided.reduce((sum, { toDecide }) => sum + toDecide, 0)),
      lead: texts.decideLead(undecided.map(({ name }) => name)),
    };
  if (beyond.length > 0)
    return { title: texts.beyond(beyond.length, numbers.length), lead: texts.beyondLead };
  if (numbers.length === 0) return { title: texts.none, lead: texts.noneLead };
  const rest = (held.length === 0 ? texts.othersWell : texts.someWell)(well.length);
  const [away] = off;
  const lead = [
    texts.held(held.map(({ name }) => name)),
    away && `${away.name}: ${refusedMessagesSentence(away)}`,
    off.length + held.length > 0
      ? rest.trim()
      : texts.wellLead(
          today,
          sentAgain,
          well.some((number) => movingOf(number) > 0),
        ),
  ];
  const title =
    off.length > 0
      ? texts.notConnected(off.length, numbers.length)
      : held.length > 0
        ? texts.heldTitle(held.length, numbers.length)
        : texts.well(numbers.length);
  return { title, lead: lead.filter(Boolean).join(' ') };
}
