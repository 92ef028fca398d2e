import crypto from 'node:crypto';
import { AppError } from '#server/core/errors.ts';
import { PERSON } from '#server/core/recipient.ts';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import { lidOf } from '../lid.ts';
import type { Calls, Credentials, FromPage, Stanza } from '../page/protocol.ts';
import type { Device, Store } from '../store.ts';
import type { Connections, PageConnection, PasskeyLinking } from './connections.ts';
import { passkeyOptions, verifyPasskey } from './passkeys.ts';
import { chatIdOf, groupInfo, type Phones } from './phones.ts';
import { endsLink, takeRefusal } from './refuse-logins.ts';

const REPLACED: Stanza = {
  tag: 'stream:error',
  attrs: {},
  content: [{ tag: 'conflict', attrs: { type: 'replaced' } }],
};
const DEVICE_REMOVED: Stanza = {
  tag: 'stream:error',
  attrs: {},
  content: [{ tag: 'conflict', attrs: { type: 'device_removed' } }],
};

const ROTATE_SECRET: Stanza = {
  tag: 'notification',
  attrs: { type: 'companion_reg_refresh', from: 's.whatsapp.net' },
  content: [{ tag: 'pair-device-rotate-qr', attrs: {} }],
};
/** The phone's words. */
const NOT_LINKED = 'Couldn’t link device. Scan the newest code.';

/** The time from the page's request for a new QR to the QR. */
const REFRESH_MS = 100;
const CODE_TTL_MS = 180_000;
const CODE_ATTEMPTS = 3;

const randomText = (bytes: number) => crypto.randomBytes(bytes).toString('base64url');

/** As at WhatsApp: eight capital letters and digits, without easily confused ones. */
function createCode(): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';
  return [...crypto.randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

function waitingFor({ passkey }: PageConnection): PasskeyLinking {
  if (!passkey) throw new Error('no linking waits for a passkey');
  return passkey;
}

interface Parts {
  store: Store;
  phones: Phones;
  connections: Connections;
  config: () => NetworkConfig;
  /** Called after a page has been welcomed. */
  onLogin: (page: PageConnection, phone: string) => void;
}

/** Links pages to phones as devices, and admits, displaces and unlinks them. */
export class Linking {
  readonly #parts: Parts;
  /** Older pages whose session was opened elsewhere. Refused until they take over; a reloaded page is new. */
  readonly #displaced = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A page connects: a linked device gets its session, any other page a QR. */
  hello(page: PageConnection, { pageId, credentials }: FromPage & { t: 'hello' }): void {
    page.pageId = pageId;
    if (!credentials) {
      this.showQr(page);
      return;
    }
    const device = this.device(credentials);
    if (!device) {
      page.send({ t: 'noise' });
      page.refuse({ tag: 'failure', attrs: { reason: '401' } });
      return;
    }
    page.deviceId = device.id;
    const { reach } = this.#parts.phones.get(device.phone);
    if (reach === 'offline') page.terminate();
    else if (reach === 'silent') page.mutedFor = device.phone;
    else {
      page.send({ t: 'noise' });
      if (this.#displaced.has(pageId)) page.send({ t: 'conflict' });
      else this.#answerLogin(page, device);
    }
  }

  /** The linked device with these credentials. */
  device({ deviceId, token }: Pick<Credentials, 'deviceId' | 'token'>): Device | undefined {
    const device = this.#parts.store.get('device', deviceId);
    return device?.token === token ? device : undefined;
  }

  /** Shows one QR after another until one is scanned or all have expired. */
  showQr(page: PageConnection): void {
    clearTimeout(page.refTimer);
    this.#nextRef(page, 0);
  }

  /** The page requests the first QR again. */
  refreshQr(page: PageConnection): void {
    clearTimeout(page.refTimer);
    page.refTimer = setTimeout(() => this.#nextRef(page, 0), REFRESH_MS);
  }

  /** A pairing code for a phone number, or the status with which WhatsApp refuses it. */
  createCode(page: PageConnection, asked: string): Calls['pairingCode']['result'] {
    const phone = asked.replace(/\D/g, '');
    const { phones, store } = this.#parts;
    if (!PERSON.test(phone) || !phones.isRegistered(phone)) return { refused: 400 };
    const refused = store.get('account', phone)?.codesRefused;
    if (refused) return { refused };
    const code = createCode();
    page.pairingCode = {
      code,
      phone,
      expiresAt: performance.now() + CODE_TTL_MS,
      attemptsLeft: CODE_ATTEMPTS,
    };
    return { code };
  }

  /** The server makes all pages with a QR rotate its secret. Returns how many. */
  rotateSecrets(): number {
    const pages = this.#parts.connections.all().filter(({ ref }) => ref !== undefined);
    for (const page of pages) page.send({ t: 'stanza', stanza: ROTATE_SECRET });
    return pages.length;
  }

  /** The phone scans a page's QR. Throws `not_found` for a QR that no page shows now. */
  scan(phone: string, qr: string): void {
    const [ref, , , secret] = qr.replace(/^https:[^#]*#/, '').split(',');
    const page = this.#parts.connections.find(
      (candidate) => candidate.ref !== undefined && candidate.ref === ref,
    );
    if (!page) {
      throw new AppError(
        'not_found',
        'No page shows this QR: it has expired or was used. Scan the newest one.',
      );
    }
    if (secret !== page.secret) throw new AppError('not_found', NOT_LINKED);
    if (this.#parts.config().rotateAtScan && !page.rotatedAtScan) {
      page.rotatedAtScan = true;
      page.send({ t: 'stanza', stanza: ROTATE_SECRET });
      throw new AppError('not_found', NOT_LINKED);
    }
    this.#link(page, phone);
  }

  /**
   * A person enters a pairing code on the phone. Throws `not_found` for a wrong one, which uses up an attempt.
   */
  enterCode(phone: string, code: string): void {
    const typed = code.replace(/[\s-]/g, '').toUpperCase();
    const { connections } = this.#parts;
    const waiting = connections.all().filter(({ pairingCode }) => {
      return pairingCode?.phone === phone && performance.now() < pairingCode.expiresAt;
    });
    const page = waiting.find(({ pairingCode }) => pairingCode?.code === typed);
    if (!page) {
      for (const one of waiting) one.missCode();
      throw new AppError(
        'not_found',
        `No page waits for this code from phone ${phone}. Type the newest one.`,
      );
    }
    this.#link(page, phone);
  }

  /** New options for a page whose linking waits for a passkey. */
  passkeyOptions(page: PageConnection): string {
    return passkeyOptions(this.#askPasskey(page, waitingFor(page).phone).challenge);
  }

  passkeyRef(page: PageConnection): string {
    const waiting = waitingFor(page);
    waiting.ref = randomText(24);
    return waiting.ref;
  }

  /** Throws unless the phone's passkey has signed the current challenge in time. Then the phone continues. */
  passkeyPrologue(page: PageConnection, { ref, assertion }: Calls['passkeyPrologue']['args']): void {
    const waiting = waitingFor(page);
    const isCurrent = waiting.ref === ref && performance.now() < waiting.expiresAt;
    if (!isCurrent) throw new Error('the request has expired');
    verifyPasskey(this.#parts.phones.passkeyOf(waiting.phone), waiting.challenge, assertion);
    waiting.signed = true;
    if (!this.#parts.config().passkeyPhoneSilent) setTimeout(() => page.send({ t: 'primaryIdentity' }));
  }

  companionNonce(page: PageConnection): string {
    const waiting = waitingFor(page);
    if (!waiting.signed) throw new Error('nothing was signed');
    waiting.code = createCode();
    return waiting.code;
  }

  /** The codes were compared: the phone links the page. */
  pairingRequest(page: PageConnection): void {
    const { code, phone } = waitingFor(page);
    if (code === null) throw new Error('no code was made');
    page.passkey = undefined;
    this.#createDevice(page, phone);
  }

  /** The page removes itself. */
  logout(page: PageConnection): void {
    if (page.deviceId !== undefined) this.#parts.store.delete('device', page.deviceId);
    page.phone = undefined;
    page.deviceId = undefined;
  }

  /** The phone removes its devices. Throws `not_connected` if it has none. */
  unlink(phone: string, silently: boolean): void {
    const devices = this.devices(phone);
    if (devices.length === 0) {
      throw new AppError('not_connected', `Phone ${phone} has no linked device to remove.`);
    }
    for (const { id } of devices) this.#parts.store.delete('device', id);
    for (const page of this.#parts.connections.of(phone)) {
      page.phone = undefined;
      page.deviceId = undefined;
      if (silently) page.terminate();
      else page.send({ t: 'stanza', stanza: DEVICE_REMOVED });
    }
  }

  /** The session now runs elsewhere: the page is no longer served. */
  displace(page: PageConnection): void {
    if (this.#parts.config().olderPage) {
      this.#displaced.add(page.pageId);
      page.phone = undefined;
      page.send({ t: 'conflict' });
    } else this.endStream(page, REPLACED);
  }

  /** The server ends the page's stream with an error. */
  endStream(page: PageConnection, error: Stanza): void {
    page.phone = undefined;
    page.send({ t: 'stanza', stanza: error });
  }

  /** A displaced page takes its session back. Older pages only. */
  takeOver(page: PageConnection): void {
    const device = page.deviceId === undefined ? undefined : this.#parts.store.get('device', page.deviceId);
    this.#displaced.delete(page.pageId);
    if (!device) return;
    page.send({ t: 'noise' });
    this.#admit(page, device);
  }

  devices(phone: string): Device[] {
    return this.#parts.store.list('device').filter((device) => device.phone === phone);
  }

  #answerLogin(page: PageConnection, device: Device): void {
    const { loginAnswerMs } = this.#parts.config();
    if (loginAnswerMs === 0) this.#refuseOrAdmit(page, device);
    else page.loginTimer = setTimeout(() => this.#refuseOrAdmit(page, device), loginAnswerMs);
  }

  #refuseOrAdmit(page: PageConnection, device: Device): void {
    const { phones, store } = this.#parts;
    const refusal = takeRefusal(phones, device.phone);
    if (!refusal) this.#admit(page, device);
    else {
      if (endsLink(refusal)) store.delete('device', device.id);
      page.refuse(refusal);
    }
  }

  #admit(page: PageConnection, device: Device): void {
    const { connections, phones, onLogin } = this.#parts;
    for (const other of connections.all()) {
      if (other === page || other.deviceId !== device.id || other.phone === undefined) continue;
      if (other.pageId === page.pageId)
        other.terminate(); // the same page, whose old socket is not closed yet
      else this.displace(other);
    }
    const account = phones.get(device.phone);
    page.phone = account.phone;
    page.send({ t: 'stanza', stanza: { tag: 'success', attrs: {} } });
    page.send({
      t: 'welcome',
      me: { pn: chatIdOf(account.phone), lid: lidOf(account.phone), name: account.name },
      groups: account.groups.map(groupInfo),
      rules: phones.pageRules(account.phone),
    });
    onLogin(page, account.phone);
  }

  #nextRef(page: PageConnection, index: number): void {
    const ttlMs = this.#parts.config().refTtlMs[index];
    if (ttlMs === undefined) {
      page.ref = undefined;
      page.send({ t: 'refsOver' });
      return;
    }
    page.ref = `2@${randomText(60)}`;
    page.send({ t: index === 0 ? 'unpaired' : 'ref', ref: page.ref, ttlMs });
    page.refTimer = setTimeout(() => this.#nextRef(page, index + 1), ttlMs);
  }

  #link(page: PageConnection, phone: string): void {
    const { passkeyDemanded } = this.#parts.phones.ensure(phone);
    if (!passkeyDemanded) {
      this.#createDevice(page, phone);
      return;
    }
    // The page keeps renewing its QR behind the screen.
    page.send({ t: 'passkey', options: passkeyOptions(this.#askPasskey(page, phone).challenge) });
  }

  #askPasskey(page: PageConnection, phone: string): PasskeyLinking {
    const expiresAt = performance.now() + this.#parts.config().passkeyTtlMs;
    page.passkey = { phone, challenge: randomText(32), expiresAt, signed: false, code: null };
    return page.passkey;
  }

  #createDevice(page: PageConnection, phone: string): void {
    clearTimeout(page.refTimer);
    page.ref = undefined;
    page.pairingCode = undefined;
    const device: Device = { id: randomText(9), phone, token: randomText(24), linkedAt: Date.now() };
    this.#parts.store.put('device', device.id, device);
    const credentials = { deviceId: device.id, token: device.token, wid: chatIdOf(phone) };
    page.send({ t: 'paired', credentials });
  }
}
