import { DAY } from './health-model.ts';
import { type Business, simulateYear, WAYS, type Way, type Wish, type Year } from './health-year.ts';

const HOUR = DAY / 24;
const RUNS = 10;

/**
 * A shop that sends order messages: 40 on a working day, three times as many in December; most customers are
 * new.
 */
const shop: Business = {
  wroteFirst: 0.2,
  answers: 0.4,
  reports: 0.001,
  wishes: (random) =>
    everyDay((day) => {
      if (day % 7 === 6) return [];
      const orders = day >= 335 ? 120 : 40;
      return Array.from({ length: orders }, () => ({
        at: day * DAY + 9 * HOUR + random() * 10 * HOUR,
        person: Math.floor(random() * 12_000),
      }));
    }),
};

/** A clinic that sends reminders: 60 at eight on each working day, to 2,500 returning patients. */
const clinic: Business = {
  wroteFirst: 0.1,
  answers: 0.5,
  reports: 0.0002,
  wishes: (random) =>
    everyDay((day) =>
      day % 7 >= 5
        ? []
        : Array.from({ length: 60 }, () => ({
            at: day * DAY + 8 * HOUR + random() * 60_000,
            person: Math.floor(random() * 2500),
          })),
    ),
};

/** An importer that writes to 5,000 strangers on the third day and to 2,000 more each month, all at once. */
const importer: Business = {
  wroteFirst: 0,
  answers: 0.05,
  reports: 0.02,
  wishes: (random) =>
    everyDay((day) => {
      const count = day === 3 ? 5000 : day % 30 === 3 ? 2000 : 0;
      return Array.from({ length: count }, (_, n) => ({
        at: day * DAY + 10 * HOUR + random() * HOUR,
        person: day * 10_000 + n,
      }));
    }),
};

export const BUSINESSES = { shop, clinic, 'careless importer': importer } as const;

/**
 * A year of three businesses: without limits, with WhatsApp's limits kept, and protected. Means of 10 years.
 */
export function benchHealth() {
  return Object.fromEntries(
    Object.entries(BUSINESSES).map(([name, business]) => [
      name,
      Object.fromEntries(WAYS.map((way) => [way, meanYear(business, way)])),
    ]),
  );
}

function meanYear(business: Business, way: Way): Year {
  const years = Array.from({ length: RUNS }, (_, seed) => simulateYear(business, way, randomOf(seed + 1)));
  const [first] = years;
  if (!first) throw new Error('no year');
  const names = Object.keys(first) as (keyof Year)[];
  const mean = (name: keyof Year) => years.reduce((sum, year) => sum + year[name], 0) / years.length;
  return Object.fromEntries(names.map((name) => [name, Math.round(mean(name) * 10) / 10])) as unknown as Year;
}

function everyDay(wishesOn: (day: number) => Wish[]): Wish[] {
  return Array.from({ length: 365 }, (_, day) => wishesOn(day)).flat();
}

/** The same numbers in [0, 1) for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
