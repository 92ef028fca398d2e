import { inject } from 'vitest';
import type { Arrival } from '../../../worker/testing/network-frames.ts';
import { shareOf, type TestFile } from '../../testing/shares.ts';
import { Wirebird, type WirebirdOptions } from '../src/index.ts';

export interface TestNumber {
  numberId: string;
  key: string;
  /** A client of this number. */
  client(options?: Partial<WirebirdOptions>): Wirebird;
  /** What recipients got from this number. */
  arrivals(): Promise<Arrival[]>;
  /** What WhatsApp does with the next message. */
  rule(rule: { stage: string; action: string; ms?: number }): Promise<void>;
}

/** The numbers of a file of tests. */
export function numbersOf(file: TestFile): TestNumber[] {
  const { baseUrl, control } = inject('product');
  const post = async (path: string, body: object) => {
    const { status } = await fetch(`${control}/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (status !== 204) throw new Error(`${path} was answered with ${status}`);
  };
  return shareOf(file).map(({ numberId, key }) => ({
    numberId,
    key,
    client: (options = {}) => new Wirebird({ apiKey: key, baseUrl, ...options }),
    arrivals: async () => {
      const all: (Arrival & { numberId: string })[] = await (await fetch(`${control}/arrivals`)).json();
      return all.filter((arrival) => arrival.numberId === numberId);
    },
    rule: (rule) => post('rules', { numberId, ...rule }),
  }));
}
