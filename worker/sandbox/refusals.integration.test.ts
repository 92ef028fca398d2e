import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from 'whatsapp-web.js';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import { bringUp, closeClient, createClient, inPage, next, settled } from '#worker/testing/sandbox-client.ts';
import type { Sandbox } from './start-sandbox.ts';

const ME = '491700000001';

let sandbox: Sandbox & AsyncDisposable;
let profiles: string;
let client: Client;
beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(async () => {
  profiles = temporaryDirectory();
  client = createClient(sandbox.chromiumArgs, profiles);
  await bringUp(sandbox, client, ME);
  await listen();
});
afterEach(async () => {
  await closeClient(client);
  fs.rmSync(profiles, { recursive: true, force: true });
  await sandbox.control.accept({ phone: ME });
  if ((await sandbox.control.phones()).some(({ devices }) => devices > 0))
    await sandbox.control.unlink({ phone: ME });
});

interface Recorded {
  recorded: string[];
}

/** Records in the page what it reports about its login, in order. The record survives a reload. */
async function listen(): Promise<void> {
  const hook = () => {
    const page = window as unknown as Recorded & { require(name: string): never };
    page.recorded ??= JSON.parse(sessionStorage.getItem('recorded') ?? '[]') as string[];
    const note = (line: string) => {
      page.recorded.push(line);
      sessionStorage.setItem('recorded', JSON.stringify(page.recorded));
    };
    const { Cmd } = page.require('WAWebCmd') as { Cmd: { on(name: string, f: (x?: object) => void): void } };
    const { Socket } = page.require('WAWebSocketModel') as {
      Socket: {
        clearCredentialsAndStoredData(...given: unknown[]): unknown;
        on(name: string, f: () => void): void;
      };
    };
    for (const name of [
      'open_socket_stream',
      'account_temporarily_banned',
      'service_unavailable_503',
      'socket_stream_disconnected',
      'starting_logout',
      'logout',
    ])
      Cmd.on(`${name}_from_bridge`, (given) => note(`${name}${given ? ` ${JSON.stringify(given)}` : ''}`));
    Socket.on('change:hasSynced', () => note('hasSynced'));
    const clear = Socket.clearCredentialsAndStoredData;
    Socket.clearCredentialsAndStoredData = (...given: unknown[]) => {
      note(`clear ${JSON.stringify(given)}`);
      return clear(...given);
    };
    const comms = page.require('WAWebCommsConfig') as {
      getCommsConfig(x: unknown): {
        handlers: { onHandleStanza(stanza: { tag: string; attrs: object }): unknown };
      };
    };
    const original = comms.getCommsConfig;
    comms.getCommsConfig = (x) => {
      const config = original(x);
      const handle = config.handlers.onHandleStanza;
      config.handlers.onHandleStanza = (...given) => {
        note(`<${given[0].tag} ${JSON.stringify(given[0].attrs)}>`);
        return handle(...given);
      };
      return config;
    };
  };
  await inPage(client, hook);
}

const recorded = () => inPage(client, () => (window as unknown as Recorded).recorded);
const kept = () => inPage(client, () => JSON.parse(sessionStorage.getItem('recorded') ?? '[]') as string[]);
const screen = () => inPage(client, () => document.body.innerText);
const url = () => client.pupPage?.url() ?? '';
const refuse = (refusal: Parameters<typeof sandbox.control.refuse>[0]) => sandbox.control.refuse(refusal);
const has = (line: string) => eventually(async () => expect(await recorded()).toContain(line));

describe('a refused login', () => {
  test.each([400, 418, 500, 501])(
    '%i: the line is open, no event is reported, and the login is retried',
    async (reason) => {
      await refuse({ phone: ME, reason, times: 2 });
      await eventually(async () =>
        expect((await recorded()).filter((line) => line === `<failure {"reason":"${reason}"}>`)).toHaveLength(
          2,
        ),
      );
      await has('<success {}>');
      await has('account_temporarily_banned {"banned":false}');
      const lines = (await recorded()).slice(0, 4);
      const attempt = ['open_socket_stream', `<failure {"reason":"${reason}"}>`];
      expect(lines).toEqual([...attempt, ...attempt]);
      expect(await client.getState()).toBe('CONNECTED');
    },
  );

  test('402: the ban and its end are reported and shown, and the page retries the login forever', async () => {
    await refuse({ phone: ME, reason: 402, code: '101', expire: 3600 });
    await has('account_temporarily_banned {"banned":true,"code":"101","expire":3600}');
    expect(await screen()).toMatch(/temporarily banned.*address books/);
    await eventually(async () =>
      expect((await recorded()).filter((line) => line === 'open_socket_stream').length).toBeGreaterThan(2),
    );
  });

  test('503: reported, shown and retried', async () => {
    await refuse({ phone: ME, reason: 503, times: 2 });
    await has('service_unavailable_503');
    expect(await screen()).toMatch(/Service unavailable/);
    await has('<success {}>');
  });

  test.each([401, 406])(
    '%i: the page wipes itself and shows a QR; only the stanza says which it was',
    async (reason) => {
      const [gone, qr] = [next(client, 'disconnected'), next(client, 'qr')];
      await refuse({ phone: ME, reason, times: 1 });
      expect(await gone).toEqual(['LOGOUT']);
      await qr;
      await settled(client);
      const lines = await kept();
      expect(lines.slice(lines.indexOf(`<failure {"reason":"${reason}"}>`) + 1)).toEqual([
        'clear [null]',
        'socket_stream_disconnected',
        'hasSynced',
        'logout',
      ]);
      expect(url()).toBe('https://web.whatsapp.com/');
    },
  );

  test('403: the reloaded page shows the server’s reason', async () => {
    const qr = next(client, 'qr');
    await refuse({ phone: ME, reason: 403, header: 'Verify it', subtext: 'On your phone', times: 1 });
    await qr;
    await settled(client);
    expect(await kept()).toContain(
      'clear ["account_locked",{"header":"Verify it","subtext":"On your phone"}]',
    );
    expect(new URL(url()).searchParams.get('logout_reason')).toBe('3');
    expect(await screen()).toMatch(/Verify it\s+On your phone/);
  });

  test.each([405, 409])('%i: the page reloads itself repeatedly', async (reason) => {
    let loads = 0;
    client.pupPage?.on('framenavigated', () => loads++);
    await refuse({ phone: ME, reason });
    await eventually(() => expect(loads).toBeGreaterThan(2));
    await sandbox.control.accept({ phone: ME });
    await eventually(() => next(client, 'ready'));
  });
});

describe('a logout', () => {
  test('returns at once, patches settings, then asks the server, and removes hasSynced before the page is left', async () => {
    await sandbox.control.configure({ settingsPatchMs: 400 });
    const gone = next(client, 'disconnected');
    const returned = await inPage(client, () => {
      const { Socket } = (window as unknown as { require(name: string): never }).require(
        'WAWebSocketModel',
      ) as {
        Socket: { logout(): unknown };
      };
      return String(Socket.logout());
    });
    expect(returned).toBe('undefined');
    expect(await sandbox.control.phone({ phone: ME })).toMatchObject({ devices: 1 });
    expect(await screen()).toMatch(/Logging out\s+Do not close this window/);
    expect(await gone).toEqual(['LOGOUT']);
    expect(await sandbox.control.phone({ phone: ME })).toMatchObject({ devices: 0 });
    await settled(client);
    expect((await kept()).slice(0, 5)).toEqual([
      'starting_logout',
      'clear ["user_initiated"]',
      'socket_stream_disconnected',
      'hasSynced',
      'logout',
    ]);
    await sandbox.control.configure({ settingsPatchMs: 100 });
  });

  test('the server answers 200 to the request to remove this device', async () => {
    const answer = await inPage(client, () => {
      const job = (window as unknown as { require(name: string): never }).require('WAWebUnpairDeviceJob') as {
        unpairDevice(reason: string): Promise<{ status: number }>;
      };
      return job.unpairDevice('user_initiated');
    });
    expect(answer).toEqual({ status: 200 });
    expect(await sandbox.control.phone({ phone: ME })).toMatchObject({ devices: 0 });
  });

  test('whose wipe hangs leaves the page at "Logging out", CONNECTED', async () => {
    await sandbox.control.configure({ wipeHangs: true });
    await client.pupPage?.reload();
    await eventually(() => next(client, 'ready'));
    await sandbox.control.unlink({ phone: ME });
    await eventually(async () => expect(await screen()).toMatch(/Logging out/));
    expect(await client.getState()).toBe('CONNECTED');
    await sandbox.control.configure({ wipeHangs: false });
  });
});
