import { z } from 'zod';

/** A moment as browsers write it. The form alone would let a fraction of a second go on without end. */
export const DateTime = z.iso.datetime().max(40);
