import { sql } from 'drizzle-orm';
import { type AlertDescriptor, PAGES } from './kind.ts';

export const unrestricted: AlertDescriptor = {
  follows: { kind: 'health', facts: sql`a.facts` },
  topic: 'numbers',
  sign: 'CONNECTED',
  page: PAGES.number,
};
