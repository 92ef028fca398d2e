import { z } from 'zod';

/** A time as browsers write it. The length is limited, because the format allows endless fractions. */
export const DateTime = z.iso.datetime().max(40);
