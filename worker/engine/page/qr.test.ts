import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepBrowser } from './prelude.ts';
import { type QrReport, watchQr } from './qr.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const POLL_MS = 20;
const DRAW_MS = 2_000;

/** A page that waits for a phone, and what it has reported. */
function newPage() {
  const reports: QrReport[] = [];
  const Conn = Object.assign(new EventEmitter(), { ref: 'ref1', refTTL: 60_000 });
  const advSecretEventEmitter = new EventEmitter();
  const pairs = async (pubKey: string) => ({ staticKeyPair: { pubKey }, identityKeyPair: { pubKey } });
  const page = { secret: 'secret1', drawn: null as string | null, state: 'UNPAIRED', linkedAs: null };
  const modules: Record<string, object | undefined> = {
    WAWebConnModel: { Conn },
    WAWebUserPrefsMultiDevice: { advSecretEventEmitter },
    WAWebSocketModel: { Socket: page },
    WAWebSignalStoreApi: { waSignalStore: { getRegistrationInfo: () => pairs('identity') } },
    WAWebUserPrefsInfoStore: { waNoiseInfo: { get: () => pairs('noise') } },
    WAWebAdvSignatureApi: { getADVSecretKey: async () => page.secret },
    WAWebCompanionRegClientUtils: { DEVICE_PLATFORM: '1' },
    WABase64: { encodeB64: (bytes: string) => `b64(${bytes})` },
  };
  const window = {
    setTimeout,
    setInterval,
    clearInterval,
    Promise,
    wirebirdQr: async (report: QrReport) => void reports.push(report),
    require(name: string) {
      if (!modules[name]) throw new Error(`Requiring module "${name}" with unresolved dependencies`);
      return modules[name];
    },
  };
  vi.stubGlobal('window', Object.assign(window, { top: window }));
  vi.stubGlobal('localStorage', { getItem: () => page.linkedAs });
  vi.stubGlobal('document', {
    querySelector: () => (page.drawn === null ? null : { getAttribute: () => page.drawn }),
  });
  keepBrowser();
  watchQr(POLL_MS, DRAW_MS);
  return { ...{ page, modules, reports, Conn, advSecretEventEmitter }, pass: vi.advanceTimersByTimeAsync };
}

const textOf = (ref: string, secret: string) => `${ref},b64(noise),b64(identity),${secret},1`;
const shown = (qr: string, leftMs: unknown) => ({ kind: 'shown', from: 'parts', qr, leftMs });

test('modules that the page has not loaded yet delay the QR', async () => {
  const { modules, reports, pass } = newPage();
  const { WAWebAdvSignatureApi, WABase64, ...loaded } = modules;
  for (const name of Object.keys(modules)) modules[name] = undefined;
  await pass(5 * POLL_MS);
  Object.assign(modules, loaded);
  await pass(5 * POLL_MS);
  expect(reports).toEqual([]);
  Object.assign(modules, { WAWebAdvSignatureApi, WABase64 });
  await pass(2 * POLL_MS);
  expect(reports).toEqual([shown(textOf('ref1', 'secret1'), expect.closeTo(60_000, -3))]);
});

test('a new secret makes the QR again, with the time that its reference has left', async () => {
  const { page, reports, advSecretEventEmitter, pass } = newPage();
  page.drawn = textOf('ref1', 'secret1');
  await pass(40_000);
  page.secret = 'secret2';
  page.drawn = textOf('ref1', 'secret2');
  advSecretEventEmitter.emit('change');
  await pass(DRAW_MS);
  expect(reports.map((report) => report.kind === 'shown' && report.qr)).toEqual([
    textOf('ref1', 'secret1'),
    textOf('ref1', 'secret2'),
  ]);
  expect(reports[1]).toMatchObject({ leftMs: expect.closeTo(20_000, -3) });
});

test('an address that the page puts before or after the parts is kept for the next QR', async () => {
  const { page, reports, Conn, pass } = newPage();
  page.drawn = `https://wa.me/#${textOf('ref1', 'secret1')},https://faq`;
  await pass(POLL_MS + DRAW_MS);
  Object.assign(Conn, { ref: 'ref2' });
  Conn.emit('change:ref');
  page.drawn = `https://wa.me/#${textOf('ref2', 'secret1')},https://faq`;
  await pass(DRAW_MS);
  expect(reports).toMatchObject([
    { from: 'parts', qr: textOf('ref1', 'secret1') },
    { from: 'parts', qr: `https://wa.me/#${textOf('ref1', 'secret1')},https://faq` },
    { from: 'parts', qr: page.drawn },
  ]);
});

test('what the page draws with other parts replaces ours, from then on before ours is shown', async () => {
  const { page, reports, Conn, pass } = newPage();
  page.drawn = 'ref1,of the page';
  await pass(POLL_MS + DRAW_MS);
  Object.assign(Conn, { ref: 'ref2' });
  Conn.emit('change:ref');
  page.drawn = 'ref2,of the page';
  await pass(DRAW_MS);
  expect(reports).toMatchObject([
    { from: 'parts', qr: textOf('ref1', 'secret1') },
    { from: 'page', qr: 'ref1,of the page' },
    { from: 'page', qr: 'ref2,of the page' },
  ]);
});

test('a page that draws nothing is reported, and a linked one makes no QR', async () => {
  const { page, reports, Conn, pass } = newPage();
  await pass(POLL_MS + DRAW_MS);
  expect(reports.at(-1)).toEqual({ kind: 'not drawn' });
  const { length } = reports;
  Object.assign(page, { state: 'CONNECTED', linkedAs: 'me' });
  Conn.emit('change:ref');
  await pass(DRAW_MS);
  expect(reports).toHaveLength(length);
});
