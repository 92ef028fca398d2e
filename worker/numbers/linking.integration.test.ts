import { expect, test } from 'vitest';
import { type EngineSession, PairingCodeError } from '#server/core/engine.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { log } from '#server/platform/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { requestCode } from './link.ts';

const database = testDatabase();

test.each(['too_many', 'bad_number', 'page'] as const)(
  'no pairing code, for %s: the owner reads why, and what to do',
  async (reason) => {
    const session: Pick<EngineSession, 'requestPairingCode'> = {
      requestPairingCode: () => Promise.reject(new PairingCodeError(reason, 'refused')),
    };
    const asked = {
      ...{ database, log: log.child({}, { level: 'silent' }), session: session as EngineSession },
      holding: { numberId: 'num_1', workerId: 'wrk_1', fence: 1 },
    };
    const cause = { code: 'no_pairing_code', why: reason } as const;
    expect(await requestCode(asked, { phone: '491700000001' })).toEqual({ on: 'no code', cause });
    expect(causeText(cause)).toContain('QR code');
  },
);
