import type { Outputs } from '#app/_trpc/client.ts';

export type Linking = Outputs['numbers']['linking'];

export type Way = 'qr' | 'code';
