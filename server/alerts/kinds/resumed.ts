import { statesOf } from './families/number-states.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

export const resumed: AlertDescriptor = {
  follows: { kind: 'suspended' },
  /** Adds what happens to new messages: it may be held, or have no plan. */
  async complete(database, alerts) {
    const stateOf = await statesOf(database, alerts);
    return alerts.map((alert) => {
      const now = stateOf(alert);
      return now ? { ...alert, facts: { now } } : alert;
    });
  },
  topic: 'numbers',
  sign: 'CONNECTED',
  page: PAGES.number,
};
