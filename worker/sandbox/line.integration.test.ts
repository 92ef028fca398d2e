import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from 'whatsapp-web.js';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import {
  bringUp,
  closeClient,
  createClient,
  inPage,
  next,
  ownMessages,
  settled,
} from '#worker/testing/sandbox-client.ts';
import type { Sandbox } from './start-sandbox.ts';

const ME = '491700000001';
const BOB = '491700000002';

const USUAL = {
  reconnectStepMs: 50,
  deadLineMs: 20_000,
  idlePingMs: 20_000,
  socketDelayMs: 100,
  serverAckMs: 5,
  wipeHangs: false,
  loginAnswerMs: 0,
};

let sandbox: Sandbox & AsyncDisposable;
let profiles: string;
let client: Client;
beforeAll(async () => {
  sandbox = await temporarySandbox();
  profiles = temporaryDirectory();
  client = createClient(sandbox.chromiumArgs, profiles);
});
afterAll(async () => {
  await closeClient(client);
  await sandbox[Symbol.asyncDispose]();
  fs.rmSync(profiles, { recursive: true, force: true });
});
afterEach(async () => {
  await sandbox.control.online({ phone: ME });
  await sandbox.control.accept({ phone: ME });
});

interface SitePage {
  require(name: 'WAWebSocketModel'): {
    Socket: { state: string; stream: string; hasSynced?: boolean; takeover(): unknown; reconnect(): unknown };
  };
  require(name: 'WAWebStreamModel'): { Stream: { mode: string } };
  require(name: 'WAWebNetworkStatus'): { online: boolean };
  require(name: 'WAComms'): {
    isSocketConnected(): boolean;
    sendPing(): Promise<boolean>;
    forceResetSocketLoop(): void;
  };
}

/** What the page reports about its connection; `ping` is `pending` if it has not settled after 300 ms. */
const shown = () =>
  inPage(client, async () => {
    const site = window as unknown as SitePage;
    const { Socket } = site.require('WAWebSocketModel');
    const comms = site.require('WAComms');
    const late = new Promise((resolve) => setTimeout(() => resolve('pending'), 300));
    let ping: unknown;
    try {
      ping = await Promise.race([comms.sendPing(), late]);
    } catch (error) {
      ping = String(error).includes('before startComms') ? 'throws before startComms' : String(error);
    }
    return {
      state: Socket.state,
      stream: Socket.stream,
      hasSynced: Socket.hasSynced,
      mode: site.require('WAWebStreamModel').Stream.mode,
      connected: comms.isSocketConnected(),
      ping,
    };
  });
const WORKING = {
  state: 'CONNECTED',
  stream: 'CONNECTED',
  hasSynced: true,
  mode: 'MAIN',
  connected: true,
  ping: true,
};
const CUT = { ...WORKING, stream: 'DISCONNECTED', connected: false, ping: false };
const GONE = { ...CUT, ping: 'throws before startComms' };

/** Reloads the page, and waits until the library is attached to it. */
const reload = async () => {
  const ready = next(client, 'ready');
  await Promise.all([client.pupPage?.reload(), ready]);
  await settled(client);
};
/** Reloads the page. False if it is not linked or the reload fails. */
async function isReloaded(): Promise<boolean> {
  const phones = await sandbox.control.phones();
  if (!phones.some(({ phone, devices }) => phone === ME && devices > 0)) return false;
  return reload().then(
    () => true,
    () => false,
  );
}
/** Makes the page work with these settings, in a new browser if the previous test left no usable page. */
async function working(config: Partial<NetworkConfig> = {}): Promise<void> {
  await sandbox.control.configure({ ...USUAL, ...config });
  if (!(await isReloaded())) {
    await closeClient(client);
    fs.rmSync(profiles, { recursive: true, force: true });
    client = createClient(sandbox.chromiumArgs, profiles);
    await bringUp(sandbox, client, ME);
  }
  await eventually(async () => expect(await shown()).toEqual(WORKING));
}
const send = (text: string) =>
  client.sendMessage(`${BOB}@c.us`, text, { sendSeen: false, linkPreview: false });
const arrivals = async (text: string) =>
  (await sandbox.control.inbox({ phone: ME })).filter(({ body }) => body === text);

describe('the state that the page reports', () => {
  test('while it starts: its scripts are there, then its socket opens', async () => {
    await working();
    await sandbox.control.configure({ socketDelayMs: 3000 });
    const ready = next(client, 'ready');
    await sandbox.control.reload({ phone: ME });
    const fresh = { ...GONE, state: 'UNLAUNCHED', hasSynced: undefined, mode: 'SYNCING' };
    await eventually(async () => expect(await shown()).toEqual(fresh));
    await sandbox.control.configure({ socketDelayMs: 100 });
    await sandbox.control.offline({ phone: ME, silently: true });
    await eventually(async () => expect(await shown()).toEqual({ ...fresh, state: 'OPENING', ping: false }));
    await sandbox.control.online({ phone: ME });
    await ready;
    await settled(client);
  });

  test('while connected, and with a silent server', async () => {
    await working();
    expect(
      await inPage(client, () => (window as unknown as SitePage).require('WAWebNetworkStatus').online),
    ).toBe(true);
    await sandbox.control.offline({ phone: ME, silently: true });
    expect(await shown()).toEqual({ ...WORKING, ping: 'pending' });
    expect(await shown()).toEqual({ ...WORKING, ping: false }); // another ping is in progress
  });

  test('with its line cut: first still CONNECTED, then OPENING, and as before when it is back', async () => {
    await working({ reconnectStepMs: 3000 });
    await sandbox.control.offline({ phone: ME });
    expect(await shown()).toEqual(CUT);
    await eventually(async () => expect(await shown()).toEqual({ ...CUT, state: 'OPENING' }));
    await sandbox.control.online({ phone: ME });
    await eventually(async () => expect(await shown()).toEqual(WORKING));
  });

  test('that was in sync, before its new login is answered: all as if it was connected', async () => {
    await working({ loginAnswerMs: 3000 });
    await sandbox.control.drop({ phone: ME });
    await eventually(async () => {
      expect(await shown()).toEqual(WORKING);
      expect((await sandbox.control.phone({ phone: ME })).connected).toBe(0);
    });
  });

  test('with a refused login: CONNECTED before the answer, without a stream', async () => {
    await working();
    await sandbox.control.refuse({ phone: ME, reason: 500, times: 3 });
    await client.pupPage?.reload();
    const refused = () =>
      inPage(client, async () => {
        const site = window as unknown as SitePage;
        const { Socket } = site.require('WAWebSocketModel');
        const connected = () => site.require('WAComms').isSocketConnected();
        while (!connected()) await new Promise((resolve) => requestAnimationFrame(resolve));
        const { state, stream, hasSynced } = Socket;
        return { state, stream, hasSynced, mode: site.require('WAWebStreamModel').Stream.mode };
      });
    await eventually(async () =>
      expect(await refused()).toEqual({
        state: 'CONNECTED',
        stream: 'DISCONNECTED',
        hasSynced: undefined,
        mode: 'SYNCING',
      }),
    );
    await eventually(async () => expect(await shown()).toEqual(WORKING));
    await settled(client);
  });

  test('during a logout: still CONNECTED, syncing, and with a line that never opens again', async () => {
    await working({ wipeHangs: true });
    await sandbox.control.unlink({ phone: ME });
    await eventually(async () =>
      expect(await shown()).toEqual({ ...GONE, hasSynced: undefined, mode: 'SYNCING' }),
    );
  });

  test('when replaced: still CONNECTED, with a line that never opens again and cannot be taken back', async () => {
    await working();
    await sandbox.control.replaced({ phone: ME });
    await eventually(async () => expect(await shown()).toEqual(GONE));
    const thrown = (member: 'takeover' | 'reconnect') =>
      client.pupPage?.evaluate((name: 'takeover' | 'reconnect') => {
        try {
          (window as unknown as SitePage).require('WAWebSocketModel').Socket[name]();
          return 'nothing';
        } catch (error) {
          return String(error);
        }
      }, member);
    expect(await thrown('takeover')).toContain('takeover');
    expect(await thrown('reconnect')).toContain('before startComms');
    await send('never leaves').catch(() => {});
    expect(await shown()).toEqual(GONE);
    expect(await arrivals('never leaves')).toEqual([]);
    await reload();
    await eventually(async () => expect(await shown()).toEqual(WORKING));
  });
});

describe('an error that ends the stream', () => {
  test.each(['515', '503', '500', 'xml-not-well-formed'] as const)(
    '%s: the page comes back without a restart',
    async (error) => {
      await working();
      await sandbox.control.streamError({ phone: ME, error });
      await eventually(async () => expect(await shown()).toEqual(WORKING));
      await client.getNumberId(BOB);
      await send(`after ${error}`);
      await eventually(async () => expect(await arrivals(`after ${error}`)).toHaveLength(1));
    },
  );

  test('515 logs in again at once, without the page’s usual delay', async () => {
    await working({ reconnectStepMs: 60_000 });
    await sandbox.control.streamError({ phone: ME, error: '515' });
    await eventually(async () => expect(await shown()).toEqual(WORKING));
  });

  test('516 wipes the link and shows a QR; where the wipe hangs the page still says CONNECTED', async () => {
    await working({ wipeHangs: true });
    await sandbox.control.streamError({ phone: ME, error: '516' });
    await eventually(async () => expect(await shown()).toEqual(GONE));
    await sandbox.control.configure({ wipeHangs: false });
    await reload();
    await eventually(async () => expect(await shown()).toEqual(WORKING));
    await settled(client);
    client.removeAllListeners('qr'); // so that the QR is not scanned
    const qr = next(client, 'qr');
    await sandbox.control.streamError({ phone: ME, error: '516' });
    await qr;
    await eventually(async () =>
      expect(await shown()).toMatchObject({ state: 'UNPAIRED', mode: 'QR', stream: 'DISCONNECTED' }),
    );
    await settled(client);
    await sandbox.control.unlink({ phone: ME });
  });
});

describe('a line that is down', () => {
  test('is retried after 1, 1, 2, 3 and 5 delays, and at once on request', async () => {
    await working({ reconnectStepMs: 200 });
    await inPage(client, () => {
      const opened: number[] = [];
      const Native = WebSocket;
      Object.assign(window, {
        opened,
        WebSocket: class extends Native {
          constructor(url: string) {
            super(url);
            opened.push(performance.now());
          }
        },
      });
    });
    await sandbox.control.offline({ phone: ME });
    const opened = () => inPage(client, () => (window as unknown as { opened: number[] }).opened);
    await eventually(async () => expect((await opened()).length).toBeGreaterThanOrEqual(5));
    const at = await opened();
    const gaps = at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / 200);
    // Timers are never early. How late they are depends on the machine.
    for (const [index, step] of [1, 2, 3, 5].entries()) expect(gaps[index]).toBeGreaterThan(step * 0.89);

    await sandbox.control.configure({ reconnectStepMs: 60_000 });
    await sandbox.control.online({ phone: ME });
    await inPage(client, () => (window as unknown as SitePage).require('WAComms').forceResetSocketLoop());
    await eventually(async () => expect(await shown()).toEqual(WORKING));
  });

  test('a server that leaves a message unanswered loses the line, and receives the message again under the same id', async () => {
    await working({ deadLineMs: 600 });
    await client.getNumberId(BOB);
    await sandbox.control.offline({ phone: ME, silently: true });
    await send('into silence');
    await eventually(async () => expect((await shown()).connected).toBe(false));
    await sandbox.control.online({ phone: ME });
    await eventually(async () => expect(await arrivals('into silence')).toHaveLength(1));
  });

  test('a message that the server accepted without an answer is written again under its id, and counts once', async () => {
    await working({ deadLineMs: 600, serverAckMs: 60_000 });
    await client.getNumberId(BOB);
    await send('answered late');
    await eventually(async () =>
      expect((await arrivals('answered late'))[0]?.repeats).toBeGreaterThanOrEqual(2),
    );
    expect(await arrivals('answered late')).toHaveLength(1);
  });

  test('an idle line is pinged, so that a silent server is noticed without a message', async () => {
    await working({ deadLineMs: 600, idlePingMs: 300 });
    await sandbox.control.offline({ phone: ME, silently: true });
    await eventually(async () => expect((await shown()).connected).toBe(false));
  });
});

test('every incoming stanza passes the handlers registered at each start of the line', async () => {
  await working();
  await inPage(client, () => {
    const seen: { tag: string; attrs: Record<string, string>; content?: unknown }[] = [];
    interface Config {
      handlers: { onHandleStanza(stanza: (typeof seen)[number], ...more: unknown[]): void };
    }
    const site = window as unknown as { require(name: string): { getCommsConfig(): Config } };
    const module = site.require('WAWebCommsConfig');
    const original = module.getCommsConfig;
    module.getCommsConfig = () => {
      const config = original();
      const handle = config.handlers.onHandleStanza;
      config.handlers.onHandleStanza = (stanza, ...more) => {
        seen.push(stanza);
        handle(stanza, ...more);
      };
      return config;
    };
    Object.assign(window, { seen });
  });
  const seen = () => inPage(client, () => (window as unknown as { seen: { tag: string }[] }).seen);
  await sandbox.control.streamError({ phone: ME, error: '515' });
  await eventually(async () => expect(await seen()).toContainEqual({ tag: 'success', attrs: {} }));
  await client.getNumberId(BOB);
  await send('seen on its way');
  const [sent] = (await ownMessages(client)).filter(({ body }) => body === 'seen on its way');
  await eventually(async () =>
    expect(await seen()).toContainEqual({ tag: 'ack', attrs: { class: 'message', id: sent?.id } }),
  );
  await sandbox.control.replaced({ phone: ME });
  await eventually(async () =>
    expect(await seen()).toContainEqual({
      tag: 'stream:error',
      attrs: {},
      content: [{ tag: 'conflict', attrs: { type: 'replaced' } }],
    }),
  );
});
