import { overview } from '#app/_texts/overview.ts';
import { NUMBER_TEXTS } from '#app/_texts/states.ts';
import { isSending, type NumberItem } from '../number-sentence.ts';
import { needsSomebody } from '../states.tsx';

/**
 * The sentence that the page opens with, which can be true or false, and what it means. What a person has to
 * do comes first: a plan that ended, a number that was lost, then the way to the first message.
 */
export function verdictOf({
  numbers,
  stepsLeft,
  planWorks,
  planEnded,
}: {
  numbers: NumberItem[];
  /** On the way to the first message; 0 once it was sent. */
  stepsLeft: number;
  planWorks: boolean;
  /** It worked once: what is missing is no step on the way to a first message. */
  planEnded: boolean;
}): { title: string; lead: string } {
  const texts = overview.verdict;
  const needy = numbers.filter((number) => needsSomebody(number.status));
  const well = numbers.filter(isSending);
  const held = numbers.filter((number) => number.heldAt !== null && number.status === 'CONNECTED');
  const beyond = numbers.filter((number) => !number.withinPlan);
  if (planEnded) return { title: texts.plan, lead: texts.planLead };
  if (planWorks && needy.length > 0) {
    const [first] = needy;
    const others = needy.length + well.length === numbers.length;
    const rest = (others ? texts.othersWell : texts.someWell)(well.length);
    const why = first ? `${first.name}: ${first.statusReason ?? NUMBER_TEXTS[first.status].means}` : '';
    return { title: texts.need(needy.length, numbers.length), lead: why + rest };
  }
  if (stepsLeft > 0) return { title: texts.steps(stepsLeft), lead: texts.stepsLead };
  if (!planWorks) return { title: texts.plan, lead: texts.planLead };
  if (beyond.length > 0)
    return { title: texts.beyond(beyond.length, numbers.length), lead: texts.beyondLead };
  if (numbers.length === 0) return { title: texts.none, lead: texts.noneLead };
  const off = numbers.filter(({ status }) => status !== 'CONNECTED').length;
  const rest = held.length === 0 ? texts.othersWell(well.length) : texts.someWell(well.length);
  const lead = `${texts.held(held.map(({ name }) => name))}${off + held.length > 0 ? rest : texts.wellLead}`;
  return {
    title: off > 0 ? texts.under(off, numbers.length) : texts.well(numbers.length),
    lead: lead.trim(),
  };
}
