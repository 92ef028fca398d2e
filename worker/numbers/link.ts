import { type EngineSession, PairingCodeError } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { NumberEvent } from '#server/core/number/machine.ts';
import { writeLink } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import { takeTokens } from '#server/platform/db/rate-buckets.ts';
import { digest } from '#server/platform/digest.ts';
import type { Log } from '#server/platform/log.ts';

interface Asked {
  database: Database;
  holding: Holding;
  log: Log;
  session: EngineSession | null;
}

/** For each phone, over all numbers and processes: WhatsApp refuses more in an hour, and remembers it for hours. */
const PAIRING_CODES = 10;
/** Each of them has its own place, which is free again an hour later. */
const PAIRING_PLACE = { capacity: 1, perSecond: 1 / 3_600 };

/** How long until WhatsApp may be asked for the next pairing code for this phone, in ms; 0 if now, which counts. */
async function countCode(database: Database, { phone }: { phone: string }): Promise<number> {
  let waitMs = Number.POSITIVE_INFINITY;
  for (let place = 1; place <= PAIRING_CODES; place++) {
    const key = `pairing:${digest(phone)}:${place}`;
    const { taken, tokens } = await takeTokens(database, { key, ...PAIRING_PLACE });
    if (taken) return 0;
    waitMs = Math.min(waitMs, ((1 - tokens) / PAIRING_PLACE.perSecond) * 1000);
  }
  return waitMs;
}

/** Asks the page for a pairing code, and shows it. */
export async function requestCode(
  { database, holding, log, session }: Asked,
  { phone }: { phone: string },
): Promise<Extract<NumberEvent, { on: 'code shown' | 'no code' }> | null> {
  const waitMs = await countCode(database, { phone });
  if (waitMs > 0) {
    const minutes = Math.ceil(waitMs / 60_000);
    return { on: 'no code', cause: { code: 'pairing_codes_used_up', minutes } };
  }
  try {
    const pairingCode = await session?.requestPairingCode(phone);
    if (!pairingCode) return null;
    await writeLink(database, holding, { pairingCode });
    return { on: 'code shown' };
  } catch (error) {
    log.warn({ err: error }, 'no pairing code');
    const why = error instanceof PairingCodeError ? error.reason : 'page';
    return { on: 'no code', cause: { code: 'no_pairing_code', why } };
  }
}
