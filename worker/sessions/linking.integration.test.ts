import { expect, test } from 'vitest';
import { type EngineSession, PairingCodeError } from '#server/core/engine.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import type { SessionRow } from '#server/numbers/queries/sessions.ts';
import { log } from '#server/platform/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { Linking } from './linking.ts';

const database = testDatabase();

test.each(['too_many', 'bad_number', 'page'] as const)(
  'no pairing code, for %s: the owner reads why, and what to do',
  async (reason) => {
    const reported: unknown[] = [];
    const session: Pick<EngineSession, 'requestPairingCode'> = {
      requestPairingCode: () => Promise.reject(new PairingCodeError(reason, 'refused')),
    };
    const linking = new Linking({
      database,
      log: log.child({}, { level: 'silent' }),
      holding: { numberId: 'num_1', workerId: 'wrk_1', fence: 1 },
      row: () => ({ intent: 'link', pairingPhone: '491700000001' }) as SessionRow,
      session: () => session as EngineSession,
      setStatus: async (...status) => reported.push(status) > 0,
      onTime: () => {},
    });
    await linking.onUnpaired();
    expect(reported).toEqual([
      ['LINKING', null],
      ['LINKING', { code: 'no_pairing_code', why: reason }],
    ]);
    expect(causeText({ code: 'no_pairing_code', why: reason })).toContain('QR code');
  },
);
