import { z } from 'zod';
import { isStorableTime } from '#server/core/storable.ts';

/** A time as browsers write it. The length is limited, because the format allows endless fractions. */
export const DateTime = z.iso.datetime().max(40).refine(isStorableTime);
