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
  /** Where it worked once: how it stopped. No step on the way to a first message is missing then. */
  planEnded: string | null;
}): { title: string; lead: string } {
  const texts = overview.verdict;
  const broken = numbers.filter((number) => number.withinPlan && needsSomebody(number.status));
  const well = numbers.filter(isSending);
  const held = numbers.filter((number) => number.heldAt !== null && number.status === 'CONNECTED');
  const beyond = numbers.filter((number) => !number.withinPlan);
  if (planEnded !== null) return { title: texts.plan, lead: planEnded };
  if (planWorks && broken.length > 0) {
    const [first] = broken;
    const needy = broken.length + beyond.length;
    const others = needy + well.length === numbers.length;
    const rest = (others ? texts.othersWell : texts.someWell)(well.length);
    const why = first ? `${first.name}: ${first.statusReason ?? NUMBER_TEXTS[first.status].means}` : '';
    return {
      title: texts.need(needy, numbers.length),
      lead: why + texts.alsoBeyond(beyond.length) + rest,
    };
  }
  if (stepsLeft > 0) return { title: texts.steps(stepsLeft), lead: texts.stepsLead };
  if (!planWorks) return { title: texts.plan, lead: `${texts.planOff} ${texts.planLead}` };
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
