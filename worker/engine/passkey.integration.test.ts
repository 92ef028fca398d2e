import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { EngineState } from '#server/core/engine.ts';
import type { PasskeyStep } from '#server/core/passkey.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';

type Asked = Extract<EngineState, { state: 'passkey' }>;
type At<K extends PasskeyStep['at']> = { attempt: string; step: Extract<PasskeyStep, { at: K }> };

let engine: TemporaryEngine;
let opened: Opened | undefined;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  await opened?.session.stop();
  opened = undefined;
  await engine.control.configure({
    refTtlMs: [60_000, 20_000],
    passkeyStepMs: 120_000,
    passkeyCode: 'skipped',
    passkeyPhoneSilent: false,
  });
});

/** A session whose QR was scanned by a phone that demands a passkey. */
async function scanned(numberId: string, phone: string): Promise<Opened> {
  opened = engine.open(numberId, { qrGraceMs: 50, passkeyPollMs: 20 });
  await opened.session.start();
  await engine.control.demandPasskey({ phone, demanded: true });
  const { events } = opened;
  await vi.waitFor(() => engine.control.scan({ phone, qr: events.qrs.at(-1)?.qr ?? '' }), 20_000);
  return opened;
}

const asked = ({ events }: Opened): Asked[] => events.states.filter((one) => one.state === 'passkey');

/** Waits for the `count`th time that the session is at this step. */
const at = <K extends PasskeyStep['at']>(one: Opened, step: K, count = 1): Promise<At<K>> =>
  one.events.until(() => {
    const found = asked(one).filter((state) => state.step.at === step);
    return found[count - 1] as At<K> | undefined;
  });

const sign = async ({ session }: Opened, phone: string, { attempt, step }: At<'sign'>) => {
  const assertion = await engine.control.signPasskey({ phone, request: step.request });
  await session.replyPasskey(attempt, { kind: 'signed', assertion });
  return assertion;
};

test('what the page asks its browser to sign is passed on, and the answer links the number', async () => {
  const phone = '491700000016';
  const one = await scanned('num_passkey', phone);
  const request = await at(one, 'sign');
  expect(request.step.request).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'whatsapp.com',
    timeout: 600_000,
    userVerification: 'required',
    allowCredentials: [],
    extensions: { uvm: true },
  });
  await sign(one, phone, request);
  await one.events.untilState('ready');
  expect(asked(one).map(({ step }) => step.at)).toEqual(['begun', 'sign', 'phone', 'finish']);
});

test('meanwhile no QR is shown or asked for, and nothing restarts', async () => {
  await engine.control.configure({ refTtlMs: [600, 100, 100] });
  const phone = '491700000017';
  const one = await scanned('num_quiet', phone);
  const request = await at(one, 'sign');
  const { length } = one.events.qrs;
  const page = one.client().pupPage;
  // All codes of the page have run out.
  await vi.waitFor(async () =>
    expect(
      await page?.evaluate(() => {
        const site = window as unknown as { require(name: string): { Socket: { state: string } } };
        return site.require('WAWebSocketModel').Socket.state;
      }),
    ).toBe('UNPAIRED_IDLE'),
  );
  await page?.evaluate(() => new Promise((resolve) => void setTimeout(resolve, 500)));
  expect(one.events.qrs).toHaveLength(length);
  expect(one.events.states.at(-1)).toMatchObject({ state: 'passkey', step: { at: 'sign' } });
  await sign(one, phone, request);
  await one.events.untilState('ready');
});

test('an answer counts once, for its own attempt', async () => {
  const phone = '491700000018';
  const one = await scanned('num_once', phone);
  const request = await at(one, 'sign');
  await one.session.replyPasskey('another attempt', {
    kind: 'signed',
    assertion: await engine.control.signPasskey({ phone, request: request.step.request }),
  });
  expect(asked(one).at(-1)?.step.at).toBe('sign');
  const assertion = await sign(one, phone, request);
  await one.session.replyPasskey(request.attempt, { kind: 'signed', assertion });
  await one.session.replyPasskey(request.attempt, { kind: 'retry' });
  await one.events.untilState('ready');
  expect(asked(one).filter(({ step }) => step.at === 'begun')).toHaveLength(1);
});

test('a code is passed on, and the owner confirms it', async () => {
  await engine.control.configure({ passkeyCode: 'shown' });
  const phone = '491700000019';
  const one = await scanned('num_code', phone);
  await sign(one, phone, await at(one, 'sign'));
  const { attempt, step } = await at(one, 'code');
  expect(await engine.control.phone({ phone })).toMatchObject({ devices: 0, passkey: { code: step.code } });
  await one.session.replyPasskey(attempt, { kind: 'confirm' });
  await one.events.untilState('ready');
});

test('a refused answer fails the attempt, and the owner starts another one with a new request', async () => {
  const phone = '491700000020';
  const one = await scanned('num_again', phone);
  const first = await at(one, 'sign');
  const { signature, ...signed } = await engine.control.signPasskey({ phone, request: first.step.request });
  const wrong = { ...signed, signature: signature.replace(/^.{8}/, 'AAAAAAAA') };
  await one.session.replyPasskey(first.attempt, { kind: 'signed', assertion: wrong });
  const { attempt, step } = await at(one, 'failed');
  expect(step.why).toBe('unknown');
  await one.session.replyPasskey(attempt, { kind: 'retry' });
  const second = await at(one, 'sign', 2);
  expect(second.attempt).not.toBe(first.attempt);
  expect(second.step.request.challenge).not.toBe(first.step.request.challenge);
  await sign(one, phone, second);
  // The page has used up the secret with which it skips the code.
  await one.session.replyPasskey((await at(one, 'code')).attempt, { kind: 'confirm' });
  await one.events.untilState('ready');
  expect(one.warned.join()).not.toContain(first.step.request.challenge);
  expect(one.warned.join()).not.toContain(signed.authenticatorData);
});

test('a phone that does not continue in time fails the attempt', async () => {
  await engine.control.configure({ passkeyStepMs: 100, passkeyPhoneSilent: true });
  const phone = '491700000021';
  const one = await scanned('num_silent', phone);
  await sign(one, phone, await at(one, 'sign'));
  expect((await at(one, 'failed')).step.why).toBe('timeout');
});

test('a page that leaves its screen shows a QR again', async () => {
  const one = await scanned('num_left', '491700000022');
  await at(one, 'sign');
  const { length } = one.events.qrs;
  await one.client().pupPage?.click('[data-testid="shortcake_cancel_button"]');
  await one.events.until(({ qrs, states }) => qrs.length > length && states.at(-1)?.state === 'qr');
});

test('other sites’ passkeys stay with the browser', async () => {
  opened = engine.open('num_other', {});
  await opened.session.start();
  const refused = await opened.client().pupPage?.evaluate(async () => {
    const publicKey = { challenge: new Uint8Array(8), rpId: 'example.com' };
    return navigator.credentials.get({ publicKey }).catch((error: Error) => error.name);
  });
  expect(refused).toBe('SecurityError');
  expect(asked(opened)).toEqual([]);
});
