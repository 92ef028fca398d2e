import type { Outputs } from '#app/_trpc/client.ts';

/** One account, as its administrator reads it. */
export type AdminAccount = Outputs['admin']['account'];

/** A row of the list of accounts. */
export type ListedAccount = Outputs['admin']['accounts']['rows'][number];
