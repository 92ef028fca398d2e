import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Client, ClientOptions } from 'whatsapp-web.js';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import {
  bringUp,
  browserGone,
  closeClient,
  createClient,
  inPage,
  next,
  ownMessages,
  settled,
} from '#worker/testing/sandbox-client.ts';
import type { Sandbox } from './start-sandbox.ts';

/** The page's own modules, as far as these tests use them. */
interface Site {
  require(name: string): {
    Conn: { refTTL: number };
    Cmd: object;
    refreshQR(): unknown;
  } & (() => object);
}

const ME = '491700000001';
const BOB = '491700000002';

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
afterEach(async () => {
  await closeClient(client);
  fs.rmSync(profiles, { recursive: true, force: true });
  if ((await sandbox.control.phones()).some(({ devices }) => devices > 0))
    await sandbox.control.unlink({ phone: ME });
});

const create = (options: Partial<ClientOptions> = {}) => {
  client = createClient(sandbox.chromiumArgs, profiles, options);
};
const linked = async (options: Partial<ClientOptions> = {}) => {
  create(options);
  await bringUp(sandbox, client, ME);
};
/** A client that shows a QR and is not linked yet. */
const unlinked = async () => {
  create();
  const qr = next(client, 'qr');
  qr.catch(() => {}); // not awaited if the start fails
  await client.initialize();
  await qr;
};
const state = () => sandbox.control.phone({ phone: ME });
const send = (text: string, options = {}) =>
  client.sendMessage(`${BOB}@c.us`, text, { sendSeen: false, linkPreview: false, ...options });
const bodies = async () => (await sandbox.control.inbox({ phone: ME })).map(({ body }) => body);

describe('linking', () => {
  test('a QR is renewed: the newest links the phone, an older one no longer', async () => {
    await sandbox.control.configure({ refTtlMs: [300, 60_000] });
    create();
    const shown: string[] = [];
    client.on('qr', (qr) => shown.push(qr));
    await client.initialize();
    await eventually(() => expect(shown).toHaveLength(2));
    const [old, current] = shown as [string, string];
    expect(current.split(',')).toHaveLength(5);
    await expect(sandbox.control.scan({ phone: ME, qr: old })).rejects.toThrow('No page shows this QR');
    const ready = next(client, 'ready');
    await sandbox.control.scan({ phone: ME, qr: current });
    await ready;
    expect(await state()).toMatchObject({ devices: 1, connected: 1 });
  });

  test('each QR is reported with its display time', async () => {
    await sandbox.control.configure({ refTtlMs: [50_000] });
    await unlinked();
    const life = () =>
      inPage(client, () => (window as unknown as Site).require('WAWebConnModel').Conn.refTTL);
    expect(await life()).toBe(50_000);
    await sandbox.control.configure({ refTtlMs: [250, 60_000] });
    await inPage(
      client,
      () => void (window as unknown as Site).require('WAWebLaunchSocketUtils').refreshQR(),
    );
    await eventually(async () => expect(await life()).toBe(60_000));
  });

  test('when its QR codes have run out, the page stays idle until it is made to start again', async () => {
    await sandbox.control.configure({ refTtlMs: [100] });
    await unlinked();
    await eventually(async () => expect(await client.getState()).toBe('UNPAIRED_IDLE'));
    await sandbox.control.configure({ refTtlMs: [60_000] });
    const qr = next(client, 'qr');
    const refresh = () =>
      inPage(client, () => {
        const site = window as unknown as Site;
        return [
          typeof site.require('WAWebLaunchSocketUtils').refreshQR(),
          'refreshQR' in site.require('WAWebCmd').Cmd,
        ];
      });
    expect(await refresh()).toEqual(['undefined', false]);
    await qr;
    expect(await client.getState()).toBe('UNPAIRED');
  });

  test('a pairing code links the phone that it was made for, and no other', async () => {
    await unlinked();
    const code = await client.requestPairingCode(ME);
    expect(code).toMatch(/^[1-9A-HJ-NP-Z]{8}$/);
    await expect(sandbox.control.enterCode({ phone: BOB, code })).rejects.toThrow(
      'No page waits for this code',
    );
    const ready = next(client, 'ready');
    await sandbox.control.enterCode({
      phone: ME,
      code: `${code.slice(0, 4)}-${code.slice(4).toLowerCase()}`,
    });
    await ready;
    expect(client.info.wid.user).toBe(ME);
  });

  test('a pairing code is invalid after three wrong attempts', async () => {
    await unlinked();
    const code = await client.requestPairingCode(ME);
    for (const wrong of ['11111111', '22222222', '33333333', code]) {
      await expect(sandbox.control.enterCode({ phone: ME, code: wrong })).rejects.toThrow('No page waits');
    }
  });

  test('a pairing code is refused after too many attempts, and for an invalid number', async () => {
    await sandbox.control.refuseCodes({ phone: ME, status: 429 });
    await unlinked();
    await expect(client.requestPairingCode(ME)).rejects.toThrow('IQErrorRateOverlimit');
    await expect(client.requestPairingCode('12')).rejects.toThrow('IQErrorBadRequest');
    await sandbox.control.refuseCodes({ phone: ME, status: null });
    expect(await client.requestPairingCode(ME)).toHaveLength(8);
  });

  test('the page names its browser', async () => {
    await unlinked();
    const named = () =>
      inPage(client, () => {
        const site = window as unknown as Site;
        return [site.require('WAWebMiscBrowserUtils')(), site.require('WAWebBrowserInfo')()];
      });
    const info = {
      os: expect.any(String),
      name: 'Chrome',
      version: expect.any(String),
      ua: expect.any(String),
    };
    expect(await named()).toEqual([info, info]);
  });

  test('a client that asks for a pairing code from the start gets one in place of the QR', async () => {
    create({ pairWithPhoneNumber: { phoneNumber: ME, showNotification: true, intervalMs: 180_000 } });
    const [code] = (await Promise.all([next(client, 'code'), client.initialize()]))[0] as [string];
    const ready = next(client, 'ready');
    await sandbox.control.enterCode({ phone: ME, code });
    await ready;
  });

  test('a later start is ready without a QR', async () => {
    await linked();
    await closeClient(client);
    create();
    const seen = vi.fn();
    client.on('qr', seen);
    await Promise.all([next(client, 'ready'), client.initialize()]);
    expect(seen).not.toHaveBeenCalled();
  });
});

describe('unlinking', () => {
  test('on the phone logs the page out, removes its profile and brings a new QR', async () => {
    await linked();
    const gone = next(client, 'disconnected');
    const qr = next(client, 'qr');
    expect(await sandbox.control.unlink({ phone: ME })).toMatchObject({ devices: 0 });
    expect(await gone).toEqual(['LOGOUT']);
    await qr;
    await settled(client);
  });

  test('without a page is noticed at the next start, by a QR', async () => {
    await linked();
    await closeClient(client);
    await sandbox.control.unlink({ phone: ME });
    // The page may leave its first document while the library attaches to it. Then this start fails and the next
    // one succeeds.
    await unlinked().catch(async () => {
      await closeClient(client);
      await unlinked();
    });
    expect(await client.getState()).toBe('UNPAIRED');
    await settled(client);
  });

  test('silently is noticed when the page reconnects', async () => {
    await linked();
    const gone = next(client, 'disconnected');
    await sandbox.control.unlink({ phone: ME, silently: true });
    expect(await gone).toEqual(['LOGOUT']);
    await settled(client);
  });

  test('by the library closes the browser before the server was asked: the phone keeps the device', async () => {
    await sandbox.control.configure({ settingsPatchMs: 5_000 });
    await linked();
    // The page navigates when it logs out, and the library would inject itself again while it closes the browser.
    client.pupPage?.removeAllListeners('framenavigated');
    await client.logout();
    expect(await state()).toMatchObject({ devices: 1, connected: 0 });
    await sandbox.control.configure({ settingsPatchMs: 100 });
    expect(fs.readdirSync(profiles)).toEqual([]);
  });
});

describe('a phone that is offline', () => {
  test('shows it in the page; what is sent meanwhile arrives once it is online', async () => {
    await linked();
    await client.getNumberId(BOB);
    const opening = next(client, 'change_state');
    expect(await sandbox.control.offline({ phone: ME })).toMatchObject({ reach: 'offline', connected: 0 });
    expect(await opening).toEqual(['OPENING']);
    await send('over the gap');
    expect(await ownMessages(client)).toMatchObject([{ body: 'over the gap', ack: 0 }]);
    expect(await bodies()).not.toContain('over the gap');
    await sandbox.control.online({ phone: ME });
    await eventually(async () => expect(await client.getState()).toBe('CONNECTED'));
    await eventually(async () => expect(await bodies()).toContain('over the gap'));
    expect(await state()).toMatchObject({ reach: 'online', repeats: 0 });
  });

  test('silently still shows CONNECTED, and nothing arrives until it is online', async () => {
    await linked();
    await client.getNumberId(BOB);
    await sandbox.control.offline({ phone: ME, silently: true });
    await send('into silence');
    expect(await client.getState()).toBe('CONNECTED');
    expect(await bodies()).not.toContain('into silence');
    await sandbox.control.online({ phone: ME });
    await eventually(async () =>
      expect((await bodies()).filter((body) => body === 'into silence')).toHaveLength(1),
    );
  });

  test('refuses a page that starts meanwhile, and serves it once it is online', async () => {
    await linked();
    await closeClient(client);
    await sandbox.control.offline({ phone: ME });
    create();
    const ready = next(client, 'ready');
    const started = client.initialize();
    await eventually(async () => expect(await client.getState()).toBe('OPENING'));
    await sandbox.control.online({ phone: ME });
    await Promise.all([started, ready]);
  });

  test('for a moment reconnects automatically, and a send waits for it', async () => {
    await linked();
    await client.getNumberId(BOB);
    await sandbox.control.drop({ phone: ME });
    await send('after the drop', { waitUntilMsgSent: true });
    expect(await bodies()).toContain('after the drop');
  });
});

describe('a session opened elsewhere, on an older page', () => {
  beforeEach(() => sandbox.control.configure({ olderPage: true }));
  afterEach(() => sandbox.control.configure({ olderPage: false }));

  test('ends in CONFLICT and a closed browser; a new start takes it back', async () => {
    await linked();
    const gone = next(client, 'disconnected');
    expect(await sandbox.control.replaced({ phone: ME })).toMatchObject({ devices: 1, connected: 0 });
    expect(await gone).toEqual(['CONFLICT']);
    await browserGone(client);
    create();
    await Promise.all([next(client, 'ready'), client.initialize()]);
  });

  test('is taken back by a client that takes over', async () => {
    await linked({ takeoverOnConflict: true, takeoverTimeoutMs: 10 });
    const states: unknown[] = [];
    client.on('change_state', (seen) => states.push(seen));
    await sandbox.control.replaced({ phone: ME });
    await eventually(() => expect(states).toEqual(['CONFLICT', 'PAIRING', 'CONNECTED']));
    expect(await state()).toMatchObject({ connected: 1 });
  });

  test('is opened elsewhere by a second page on the same profile, which then is the one that is served', async () => {
    await linked({ takeoverOnConflict: true, takeoverTimeoutMs: 60_000 });
    const conflict = next(client, 'change_state');
    const second = await client.pupBrowser?.newPage();
    await second?.goto('https://web.whatsapp.com/');
    expect(await conflict).toEqual(['CONFLICT']);
    await eventually(async () =>
      expect(await second?.evaluate(() => document.body.innerText)).toMatch(/^CONNECTED/),
    );
    expect(await client.getState()).toBe('CONFLICT');
    expect(await state()).toMatchObject({ devices: 1, connected: 1 });
  });
});

describe('faults of the page', () => {
  test.each(['UNPAIRED'])('state %s ends the client and its browser', async (shown) => {
    await linked();
    const gone = next(client, 'disconnected');
    await sandbox.control.showState({ phone: ME, state: shown });
    expect(await gone).toEqual([shown]);
    await browserGone(client);
  });

  test('a reloaded page becomes ready again automatically', async () => {
    await linked();
    const ready = next(client, 'ready');
    await sandbox.control.reload({ phone: ME });
    await ready;
    expect(await client.getState()).toBe('CONNECTED');
  });

  test('when it syncs before the library listens, its ready event is lost and can be recovered', async () => {
    await linked();
    await closeClient(client);
    await sandbox.control.configure({ raceSync: true });
    create();
    const seen = vi.fn();
    client.on('ready', seen);
    await client.initialize();
    await settled(client);
    expect(seen).not.toHaveBeenCalled();
    await inPage(client, () =>
      (window as unknown as { onAppStateHasSyncedEvent(): void }).onAppStateHasSyncedEvent(),
    );
    await eventually(() => expect(seen).toHaveBeenCalled());
    await sandbox.control.configure({ raceSync: false });
  });

  test('a module that the site removed throws by its name and is recorded', async () => {
    await sandbox.control.configure({ absentModules: ['WAWebQueryExistsJob'] });
    await linked();
    await expect(client.getNumberId(BOB)).rejects.toThrow('Requiring unknown module "WAWebQueryExistsJob".');
    await eventually(async () => {
      expect((await sandbox.control.diagnostics()).missingModules).toEqual(['WAWebQueryExistsJob']);
    });
    await sandbox.control.configure({ absentModules: [] });
  });

  test('an outage of the site fails the start within the time given', async () => {
    await sandbox.control.configure({ outage: '503' });
    create({ authTimeoutMs: 300 });
    await expect(client.initialize()).rejects.toBe('auth timeout');
    await sandbox.control.configure({ outage: 'none' });
  });
});
