import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startWorld, until, type World } from '../testing/world.ts';

// Before the settings are read, which happens once.
vi.hoisted(() => {
  vi.stubEnv('SANDBOX_ACK_TIMEOUT_MS', '300');
  vi.stubEnv('LOG_LEVEL', 'info');
});

const TEXT = 'a text for nobody else';
const PHONE = '491700000001';
let world: World;
const written: string[] = [];
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
  world = await startWorld();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.stop();
  vi.restoreAllMocks();
});

interface Line {
  messageId?: string;
  code?: string;
  [field: string]: unknown;
}

test.each([
  ['throw', { code: 'send_failed', reason: 'page', cause: 'the page threw before dispatch' }],
  ['encrypt', { code: 'send_failed', reason: 'encryption', cause: 'encryption failed' }],
  ['held', { code: 'send_failed', reason: 'late', cause: 'its job did not start in time' }],
  [463, { code: 'send_failed', reason: 'refused', step: 'answered', whatsappCode: 463 }],
  ['silence', { code: 'send_unknown', reason: 'timeout', cause: 'no answer in time' }],
  ['crash', { code: 'send_unknown', reason: 'disconnected', cause: 'the session has ended' }],
] as const)(
  'a send that fails (%s) is logged once with its cause, and without text and recipient',
  async (behaviour, line) => {
    const { key, numberId } = await world.addLinkedNumber();
    written.length = 0;
    world.network.behave(numberId, behaviour);
    const refused = await world.text(key, PHONE, TEXT).catch((error: unknown) => error);
    const { messageId } = (refused as { details: { messageId: string } }).details;
    const lines = () =>
      written.map((text): Line => JSON.parse(text)).filter((one) => one.messageId === messageId && one.code);
    await until(() => lines().length > 0);
    expect(lines()).toEqual([expect.objectContaining({ ...line, build: 'browserless' })]);
    expect(written.join('')).not.toContain(TEXT);
    expect(written.join('')).not.toContain(PHONE);
  },
);
