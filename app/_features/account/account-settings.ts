import type { Outputs } from '#app/_trpc/client.ts';

export type AccountSettings = Outputs['account']['settings'];
