import type { Outputs } from '#app/_trpc/client.ts';

/** How the linking of a number stands. */
export type Linking = Outputs['numbers']['linking'];

/** By the QR code, or by a code that is typed into the phone. */
export type Way = 'qr' | 'code';
