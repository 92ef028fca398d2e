import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from 'whatsapp-web.js';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import { closeClient, createClient, inPage, next } from '#worker/testing/sandbox-client.ts';
import type { Sandbox } from './start-sandbox.ts';

/** The page's own modules, as far as these tests use them. */
interface Modules {
  WAWebLinkDeviceEvents: {
    WAWebLinkDeviceEvents: { on(name: string, listener: (...given: unknown[]) => void): void };
  };
  WAWebShortcakeLinkingApi: { getShortcakeLinkingStage(): string };
  WAWebUserPrefsMultiDevice: { getADVSecretKey(): string };
}
interface Site {
  seen: unknown[][];
  require<K extends keyof Modules>(name: K): Modules[K];
}

const ME = '491700000001';

let sandbox: Sandbox & AsyncDisposable;
let profiles: string;
let client: Client;
beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => {
  profiles = temporaryDirectory();
});

const create = () => {
  client = createClient(sandbox.chromiumArgs, profiles);
};
const state = () => sandbox.control.phone({ phone: ME });
/** A page whose QR was scanned, with its events and a browser that has the phone's passkey. */
const scan = async ({ withKey = true } = {}) => {
  await sandbox.control.demandPasskey({ phone: ME, demanded: true });
  create();
  const [[qr]] = (await Promise.all([next(client, 'qr'), client.initialize()])) as [[string], undefined];
  await inPage(client, () => {
    const site = window as unknown as Site;
    site.seen = [];
    for (const name of [
      'passkey_prologue_request',
      'shortcake_prologue_sent',
      'shortcake_verification_code_ready',
      'shortcake_error',
    ])
      site
        .require('WAWebLinkDeviceEvents')
        .WAWebLinkDeviceEvents.on(`link_device_events:${name}`, (...given) =>
          site.seen.push([name, ...given]),
        );
  });
  if (withKey) await addPasskey();
  expect(await sandbox.control.scan({ phone: ME, qr })).toMatchObject({
    devices: 0,
    passkey: { waiting: true, code: null },
  });
  await client.pupPage?.waitForSelector('[data-testid="shortcake_passkey_screen"]');
};
const addPasskey = async () => {
  const { credentialId, userHandle, privateKey } = await sandbox.control.passkey({ phone: ME });
  const devtools = await client.pupPage?.createCDPSession();
  await devtools?.send('WebAuthn.enable');
  const added = await devtools?.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  await devtools?.send('WebAuthn.addCredential', {
    authenticatorId: added?.authenticatorId ?? '',
    credential: {
      credentialId: base64(credentialId),
      isResidentCredential: true,
      rpId: 'whatsapp.com',
      privateKey: base64(privateKey),
      userHandle: base64(userHandle),
      signCount: 0,
    },
  });
};
const press = (testId: string) => client.pupPage?.click(`[data-testid="${testId}"]`);
const seen = () => inPage(client, () => (window as unknown as Site).seen);
const screen = () => inPage(client, () => document.body.innerText);
const stage = () =>
  inPage(client, () =>
    (window as unknown as Site).require('WAWebShortcakeLinkingApi').getShortcakeLinkingStage(),
  );
/** The browser signs wrongly once. */
const breakSignature = () =>
  inPage(client, () => {
    const { credentials } = navigator;
    const get = credentials.get.bind(credentials);
    credentials.get = async (options) => {
      credentials.get = get;
      const { id, rawId, type, response } = (await get(options)) as PublicKeyCredential;
      const { clientDataJSON, authenticatorData, userHandle } = response as AuthenticatorAssertionResponse;
      const wrong = { clientDataJSON, authenticatorData, userHandle, signature: new ArrayBuffer(8) };
      return { id, rawId, type, response: wrong } as unknown as Credential;
    };
  });
afterEach(async () => {
  await closeClient(client);
  fs.rmSync(profiles, { recursive: true, force: true });
  if ((await sandbox.control.phones()).some(({ devices }) => devices > 0))
    await sandbox.control.unlink({ phone: ME });
  await sandbox.control.demandPasskey({ phone: ME, demanded: false });
  await sandbox.control.configure({
    passkeyTtlMs: 600_000,
    passkeyStepMs: 120_000,
    passkeyCode: 'skipped',
    passkeyPhoneSilent: false,
  });
});

test('a demanded passkey replaces the QR by a screen; Continue has the browser sign, and the page confirms the rest itself', async () => {
  await scan();
  expect(await client.getState()).toBe('UNPAIRED');
  const ready = next(client, 'ready');
  await press('shortcake_passkey_continue_button');
  await eventually(async () => expect(await seen()).toHaveLength(3));
  expect(await seen()).toEqual([
    ['passkey_prologue_request'],
    ['shortcake_prologue_sent'],
    ['shortcake_verification_code_ready', expect.stringMatching(/^[1-9A-Z]{8}$/), true],
  ]);
  await ready;
  expect(await state()).toMatchObject({ devices: 1, passkey: { waiting: false } });
});

test('the request changes the secret of the QR', async () => {
  const secret = () =>
    inPage(client, () => (window as unknown as Site).require('WAWebUserPrefsMultiDevice').getADVSecretKey());
  create();
  await Promise.all([next(client, 'qr'), client.initialize()]);
  const first = await secret();
  await closeClient(client);
  await scan({ withKey: false });
  expect(await secret()).not.toBe(first);
});

test('a code is shown that the phone shows too, if the page has no secret of the scanned QR', async () => {
  await sandbox.control.configure({ passkeyCode: 'shown' });
  await scan();
  await press('shortcake_passkey_continue_button');
  await eventually(async () => expect(await seen()).toHaveLength(3));
  const [, , [, code, skipped] = []] = await seen();
  expect(skipped).toBe(false);
  expect(await state()).toMatchObject({ devices: 0, passkey: { waiting: true, code } });
  expect(await screen()).toContain(code);
  const ready = next(client, 'ready');
  await client.pupPage?.locator('button ::-p-text(equal)').click();
  await ready;
});

test('a wrong signature is not accepted, and the prompt asks for a new one', async () => {
  await scan();
  await breakSignature();
  await press('shortcake_passkey_continue_button');
  await eventually(async () => expect(await screen()).toContain('not accepted'));
  expect(await stage()).toBe('NotStarted');
  const ready = next(client, 'ready');
  await press('shortcake_passkey_continue_button');
  // The secret of the QR is used up, so the code is compared.
  await client.pupPage?.locator('button ::-p-text(equal)').click();
  await ready;
});

test('the page waits a limited time for the phone', async () => {
  await sandbox.control.configure({ passkeyStepMs: 100, passkeyPhoneSilent: true });
  await scan();
  await press('shortcake_passkey_continue_button');
  await eventually(async () => expect(await seen()).toContainEqual(['shortcake_error', 'timeout']));
  await client.pupPage?.waitForSelector('[data-testid="shortcake_passkey_continue_button"]');
  expect(await stage()).toBe('NotStarted');
});

test('the page asks for new options when the old ones have expired', async () => {
  await sandbox.control.configure({ passkeyTtlMs: 1 });
  await scan();
  await sandbox.control.configure({ passkeyTtlMs: 600_000 });
  const ready = next(client, 'ready');
  await press('shortcake_passkey_continue_button');
  await ready;
});

test('a person can cancel, which leaves a new QR', async () => {
  await scan({ withKey: false });
  const qr = next(client, 'qr');
  await press('shortcake_cancel_button');
  expect(await qr).toHaveLength(1);
  expect(await screen()).toBe('UNPAIRED');
  expect(await stage()).toBe('NotStarted');
});
