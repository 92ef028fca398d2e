import type { Outputs } from '#app/_trpc/client.ts';

export type AdminAccount = Outputs['admin']['account'];

export type ListedAccount = Outputs['admin']['accounts']['rows'][number];
