import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchConnection } from './connection.ts';
import { watchHealth } from './health.ts';
import { HOOK_ERRORS } from './hook-errors.ts';
import { gateJob, OWN_TYPES } from './job.ts';
import { tapLogin } from './login.ts';
import { tapPasskey } from './passkey.ts';
import { keepBrowser, type Layer } from './prelude.ts';
import { watchQr } from './qr.ts';
import { installGate } from './sending.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const TAP_MS = 20;

/** A document with the page's modules, in which our scripts run as text, as the browser runs them. */
function newDocument() {
  const handlers = { onHandleStanza: (_stanza: object) => {} };
  const reports: { kind: string }[] = [];
  const wirebirdLogin = async (report: { kind: string }) => void reports.push(report);
  const Socket = Object.assign(new EventEmitter(), {
    logout: () => {},
    clearCredentialsAndStoredData: () => {},
  });
  const Msg = Object.assign(new EventEmitter(), { getModelsArray: () => [] });
  const Cmd = new EventEmitter();
  const Conn = new EventEmitter();
  const advSecretEventEmitter = new EventEmitter();
  const events = new EventEmitter();
  const modules = {
    WAWebConnModel: { Conn },
    WAWebUserPrefsMultiDevice: { advSecretEventEmitter },
    WAWebSendMsgChatAction: { addAndSendMsgToChat: () => [] },
    WAWebSendMsgJob: { encryptAndSendMsg: async () => {} },
    WAWebCommsConfig: { getCommsConfig: () => ({ handlers }) },
    WAWebCommsHandleWorkerCompatibleStanza: { handleWorkerCompatibleStanza: (_stanza: object) => {} },
    WAWebCollections: { Msg, Chat: { getModelsArray: () => [] } },
    WAWebCmd: { Cmd },
    WAWebSocketModel: { Socket },
    WAWebLinkDeviceEvents: { WAWebLinkDeviceEvents: events },
  };
  const window: Record<string, unknown> = { addEventListener: () => {}, Error, performance };
  const credentials = { get: () => {} };
  Object.assign(window, { navigator: { credentials }, localStorage: { getItem: () => null } });
  Object.assign(window, { setTimeout, setInterval, clearInterval, Promise, window, top: window });
  const context = vm.createContext(window);
  const run = (script: (...given: never[]) => void, ...given: unknown[]) =>
    vm.runInContext(`(${script})(...${JSON.stringify(given)})`, context);
  const listeners = [Msg, Cmd, Socket, Conn, advSecretEventEmitter, events];
  return {
    modules,
    window,
    run,
    /** The page's scripts have loaded, and it has replaced the browser's timers. */
    load() {
      const require = (name: keyof typeof modules) => modules[name];
      Object.assign(window, { require, Debug: { VERSION: '2.3000' }, wirebirdLogin });
      Object.assign(window, { clearInterval: () => {}, setInterval: () => 0, setTimeout: () => 0 });
    },
    reports,
    /** A new socket takes its handlers from the configuration. */
    connect: () => modules.WAWebCommsConfig.getCommsConfig(),
    layers: () => ({
      addAndSendMsgToChat: layersOf(modules.WAWebSendMsgChatAction.addAndSendMsgToChat),
      encryptAndSendMsg: layersOf(modules.WAWebSendMsgJob.encryptAndSendMsg),
      getCommsConfig: layersOf(modules.WAWebCommsConfig.getCommsConfig),
      onHandleStanza: layersOf(handlers.onHandleStanza),
      handleWorkerCompatibleStanza: layersOf(
        modules.WAWebCommsHandleWorkerCompatibleStanza.handleWorkerCompatibleStanza,
      ),
      logout: layersOf(Socket.logout),
      clearCredentialsAndStoredData: layersOf(Socket.clearCredentialsAndStoredData),
      get: layersOf(credentials.get),
    }),
    listeners: () => listeners.map((one) => one.eventNames().map((name) => one.listenerCount(name))),
  };
}

function layersOf(hooked: unknown): number {
  let layers = 0;
  for (let layer = hooked as Layer | undefined; layer?.wirebirdInner; layer = layer.wirebirdInner)
    layers += 1;
  return layers;
}

const ONE_EACH = {
  addAndSendMsgToChat: 1,
  encryptAndSendMsg: 1,
  getCommsConfig: 1,
  onHandleStanza: 1,
  handleWorkerCompatibleStanza: 1,
  logout: 1,
  clearCredentialsAndStoredData: 1,
  get: 1,
};

test('ten minutes after its start a page has one layer of ours around each function, though it has replaced the timers', async () => {
  const page = newDocument();
  page.run(keepBrowser);
  page.run(gateJob, TAP_MS, OWN_TYPES, HOOK_ERRORS);
  page.run(tapLogin, TAP_MS);
  page.run(watchQr, TAP_MS, 2_000);
  page.run(tapPasskey, TAP_MS);
  await vi.advanceTimersByTimeAsync(5 * TAP_MS);
  page.load();
  await vi.advanceTimersByTimeAsync(5 * TAP_MS);
  page.connect();
  page.run(installGate, HOOK_ERRORS);
  page.run(watchConnection);
  page.run(watchHealth, 10);
  const listeners = page.listeners();
  for (let minute = 0; minute < 10; minute++) {
    await vi.advanceTimersByTimeAsync(60_000);
    // Reconnections, and `ready` again, repeat what a document needs once.
    page.connect();
    page.run(installGate, HOOK_ERRORS);
    page.run(watchConnection);
    page.run(watchHealth, 10);
    expect(page.layers()).toEqual(ONE_EACH);
  }
  expect(page.listeners()).toEqual(listeners);
  expect(vi.getTimerCount()).toBe(0);
});

test('a stanza is reported once, whichever taps it passes', async () => {
  const page = newDocument();
  page.run(keepBrowser);
  page.run(tapLogin, TAP_MS);
  page.load();
  await vi.advanceTimersByTimeAsync(5 * TAP_MS);
  const { handlers } = page.connect();
  const handler = page.modules.WAWebCommsHandleWorkerCompatibleStanza;
  const failure = () => ({ tag: 'failure', attrs: { reason: '405' } });
  const both = failure();
  handlers.onHandleStanza(both);
  handler.handleWorkerCompatibleStanza(both);
  handler.handleWorkerCompatibleStanza(failure());
  expect(page.reports.map(({ kind }) => kind)).toEqual(['loaded', 'stanza', 'refused', 'refused']);
});

test('a function that the page has replaced meanwhile is hooked again', () => {
  const page = newDocument();
  page.run(keepBrowser);
  page.load();
  page.run(installGate, HOOK_ERRORS);
  page.modules.WAWebSendMsgChatAction.addAndSendMsgToChat = () => [];
  expect(page.layers().addAndSendMsgToChat).toBe(0);
  page.run(installGate, HOOK_ERRORS);
  expect(page.layers().addAndSendMsgToChat).toBe(1);
});

test('scripts of ours use no timer and no helper of promises but those of the first script', () => {
  const replaced =
    /\b(set(Timeout|Interval|Immediate)|clear(Timeout|Interval)|requestAnimationFrame|requestIdleCallback|queueMicrotask)\b|\bnew Promise\b|\bPromise\.\w+/g;
  const sources = fs
    .readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'prelude.ts');
  expect(sources.length).toBeGreaterThan(8);
  const found = sources.flatMap((name) => {
    const source = fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');
    return (source.match(replaced) ?? []).map((word) => `${name}: ${word}`);
  });
  expect(found).toEqual([]);
});

test('whatever runs in the page is in this folder', () => {
  const engine = path.join(import.meta.dirname, '..');
  const names = fs.readdirSync(engine).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const outside = names.flatMap((name) => {
    const source = fs.readFileSync(path.join(engine, name), 'utf8');
    const imported = [...source.matchAll(/import \{([^}]*)\} from '\.\/page\//g)].flatMap(
      ([, list = '']) => list.match(/\w+/g) ?? [],
    );
    const sent = [...source.matchAll(/\.(?:evaluate|evaluateOnNewDocument)\(\s*([^\s,)]+)/g)];
    return sent.flatMap(([, script = '']) => (imported.includes(script) ? [] : [`${name}: ${script}`]));
  });
  expect(outside).toEqual([]);
});
