import type { WebSocket } from 'ws';
import { AppError } from '#server/core/errors.ts';
import type { PhoneState } from '#server/sandbox/contract.ts';
import { NetworkConfig, PageConfig, type SiteBuild } from '#server/sandbox/network-config.ts';
import type { MediaFiles } from '../media-files.ts';
import {
  type CallFrame,
  type Calls,
  type Change,
  type FromPage,
  type GroupInfo,
  NEEDS_LOGIN,
  type Stanza,
} from '../page/protocol.ts';
import type { Store } from '../store.ts';
import { Connections, PageConnection } from './connections.ts';
import { Delivery } from './delivery.ts';
import { Linking } from './linking.ts';
import { groupInfo, Phones } from './phones.ts';

/**
 * Limits the missing modules that are kept for diagnosis, because any page in this machine's browsers can report
 * some.
 */
const MISSING_MAX = 200;
const MISSING_CHARS_MAX = 100;

/** The simulated WhatsApp: phones, their linked pages, and the traffic between them. */
export class Network {
  readonly phones: Phones;
  readonly connections = new Connections();
  readonly linking: Linking;
  readonly delivery: Delivery;
  readonly media: MediaFiles;
  readonly store: Store;
  /** Modules that the library requested and the page does not have. */
  readonly missingModules = new Set<string>();
  #config: NetworkConfig;

  constructor(store: Store, media: MediaFiles, config: Partial<NetworkConfig> = {}) {
    this.store = store;
    this.media = media;
    const current = () => this.#config;
    // Parsing fills in fields that stored data lack.
    this.#config = NetworkConfig.parse({ ...store.get('config', 'config'), ...config });
    store.put('config', 'config', this.#config);
    this.phones = new Phones(store, current);
    const { phones, connections } = this;
    this.delivery = new Delivery({ store, phones, connections, media, config: current });
    this.linking = new Linking({
      store,
      phones,
      connections,
      config: current,
      onLogin: (page, phone) => this.delivery.catchUp(page, phone),
    });
  }

  get config(): NetworkConfig {
    return this.#config;
  }

  configure(changes: { [K in keyof NetworkConfig]?: NetworkConfig[K] | undefined }): NetworkConfig {
    this.#config = NetworkConfig.parse({ ...this.#config, ...changes });
    this.store.put('config', 'config', this.#config);
    return this.#config;
  }

  /** Records a module that the library requested and the page does not have. */
  noteMissing(module: string): void {
    if (this.missingModules.size < MISSING_MAX && module.length <= MISSING_CHARS_MAX)
      this.missingModules.add(module);
  }

  /** A build of the site by its version; without a version the newest, which the site serves. */
  build(version?: string): SiteBuild | undefined {
    const { builds, brokenBuild, version: first } = this.config;
    const replaced = builds.some((build) => build.version === first);
    const all = replaced ? builds : [{ version: first, brokenBuild, withdrawn: false }, ...builds];
    return version === undefined ? all.at(-1) : all.find((build) => build.version === version);
  }

  /** The part of the configuration that the page itself applies, for a page of this build. */
  pageConfig({ version, brokenBuild, keyField = this.config.keyField }: SiteBuild): PageConfig {
    return PageConfig.parse({ ...this.config, version, brokenBuild, keyField });
  }

  /** Serves a page's socket until it closes. */
  serve(socket: WebSocket): void {
    const page = new PageConnection(socket);
    this.connections.add(page);
    socket.on('close', () => this.connections.remove(page));
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => {
      const frame = parse(data);
      if (!frame) socket.terminate();
      else if (page.mutedFor === undefined) this.#receive(page, frame);
    });
  }

  state(phone: string): PhoneState {
    const { name, reach, passkeyDemanded, deliveredMs, readMs, groups, rules, repeats } =
      this.phones.get(phone);
    const waiting = this.connections.find(({ passkey }) => passkey?.phone === phone)?.passkey;
    return {
      phone,
      name,
      reach,
      devices: this.linking.devices(phone).length,
      connected: this.connections.of(phone).length,
      passkey: {
        demanded: passkeyDemanded,
        waiting: waiting !== undefined,
        code: waiting?.code ?? null,
      },
      deliveredMs,
      readMs,
      delivered: this.delivery.count(phone),
      repeats,
      groups: groups.length,
      rules: rules.length,
    };
  }

  /** The phone's served pages. Throws `not_connected` if there are none. */
  pagesOf(phone: string): PageConnection[] {
    const pages = this.connections.of(phone);
    if (pages.length > 0) return pages;
    throw new AppError(
      'not_connected',
      `No page of phone ${phone} is connected. Link it or bring it online first.`,
    );
  }

  /** Cuts the phone's pages off: closes their connections or, `silently`, keeps them open without data. */
  takeOffline(phone: string, silently: boolean): void {
    this.phones.update(phone, { reach: silently ? 'silent' : 'offline' });
    for (const page of this.connections.of(phone)) {
      page.phone = undefined;
      if (silently) page.mutedFor = phone;
      else page.terminate();
    }
  }

  bringOnline(phone: string): void {
    this.phones.update(phone, { reach: 'online' });
    for (const page of this.connections.all()) if (page.mutedFor === phone) page.terminate();
  }

  /** Resolves when the phone's pages have applied the change. */
  async change(phone: string, change: Change): Promise<void> {
    await Promise.all(this.connections.of(phone).map((page) => page.change(change)));
  }

  #receive(page: PageConnection, frame: FromPage): void {
    if (frame.t === 'hello') this.linking.hello(page, frame);
    else if (frame.t === 'confirm') page.confirm(frame.seq);
    else if (frame.t === 'secret') page.secret = frame.secret;
    else if (page.phone !== undefined || !NEEDS_LOGIN.includes(frame.op)) void this.#answer(page, frame);
    // Otherwise the page lost its session during the request, and repeats it once it has a session again.
  }

  async #answer(page: PageConnection, frame: CallFrame): Promise<void> {
    const { id } = frame;
    try {
      const data = await this.#handle(page, page.phone ?? '', frame);
      if (frame.op === 'send') page.send({ t: 'stanza', stanza: ackOf(frame.args.id, data) });
      page.send({ t: 'result', id, data });
    } catch (error) {
      page.send({ t: 'failure', id, error: error instanceof Error ? error.message : String(error) });
    }
  }

  #groupsOf(phone: string): GroupInfo[] {
    return this.phones.get(phone).groups.map(groupInfo);
  }

  async #handle(page: PageConnection, phone: string, { op, args }: CallFrame): Promise<unknown> {
    switch (op) {
      case 'exists':
        return this.delivery.exists(phone, args.wid);
      case 'group':
        return this.#groupsOf(phone).find(({ id }) => id === args.id) ?? null;
      case 'groups':
        return this.#groupsOf(phone);
      case 'send':
        return this.delivery.accept(phone, args);
      case 'spendRule':
        return this.phones.spendRule(phone, args.ruleId);
      case 'pairingCode':
        return this.linking.createCode(page, args.phone);
      case 'refreshRef':
        this.linking.refreshQr(page);
        return null;
      case 'passkeyOptions':
        return this.linking.passkeyOptions(page);
      case 'passkeyRef':
        return this.linking.passkeyRef(page);
      case 'passkeyPrologue':
        this.linking.passkeyPrologue(page, args);
        return null;
      case 'companionNonce':
        return this.linking.companionNonce(page);
      case 'pairingRequest':
        this.linking.pairingRequest(page);
        return null;
      case 'ping':
        return true;
      case 'takeover':
        this.linking.takeOver(page);
        return null;
      case 'unpair':
        this.linking.logout(page);
        return { status: 200 };
      case 'restrictions':
        return this.phones.restrictions(phone);
      default:
        return op satisfies never;
    }
  }
}

/** The server's answer to a message, as its stanza. */
function ackOf(id: string, answer: unknown): Stanza {
  const { error } = answer as Calls['send']['result'];
  return {
    tag: 'ack',
    attrs: { class: 'message', id, ...(error === null ? {} : { error: String(error) }) },
  };
}

/** A page's frame; null if it is not JSON, which our page never sends. */
function parse(data: unknown): FromPage | null {
  try {
    return JSON.parse(String(data)) as FromPage;
  } catch {
    return null;
  }
}
