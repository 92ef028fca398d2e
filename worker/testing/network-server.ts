import { randomUUID } from 'node:crypto';
import net, { type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { HOOK_ERRORS } from '../engine/page/hook-errors.ts';
import {
  type Arrival,
  type FromSession,
  type NetworkRule,
  type Stage,
  type StoredLink,
  sendFrame,
} from './network-frames.ts';
import { NetworkReach } from './network-reach.ts';

/** The end of one connection may be seen this much later than the start of the next. */
const CLOSED_WITHIN_MS = 250;
/** The default code of a refusal. */
const REFUSED = 400;

/**
 * WhatsApp as a server without pages, for workers in separate processes. It outlives them, so its records show
 * what was delivered.
 */
export class NetworkServer {
  readonly #server: net.Server;
  readonly #sessions = new Map<string, Socket>();
  readonly #phones = new Map<string, string>();
  /** The device that is linked for a number, as it was last opened. */
  readonly #linked = new Map<string, StoredLink>();
  /** Phones that wait for a number's first code. */
  readonly #scanners = new Map<string, string>();
  readonly #profiles = new WeakMap<Socket, string>();
  /** Sessions that show a code. */
  readonly #waiting = new WeakSet<Socket>();
  /** How many times a session was opened from a profile older than its last start. Must stay 0. */
  rewound = 0;
  readonly #arrivals = new Map<string, Map<string, Arrival>>();
  readonly #rules = new Map<string, NetworkRule[]>();
  /** Numbers whose messages are delivered and read as soon as they are sent. */
  readonly acknowledging = new Set<string>();
  /** What keeps a number's pages from the server. */
  readonly reach = new NetworkReach({
    sessionOf: (numberId) => this.#sessions.get(numberId),
    phoneOf: (numberId) => this.#phones.get(numberId),
  });
  /** Jobs that wait for permission, by message. */
  readonly #jobs = new Map<string, (allowed: boolean) => void>();
  /** How many times a number had two sessions at once. Must stay 0. */
  doubled = 0;
  /** The longest time that a message, and its acknowledgement, takes in each direction, in ms. */
  travelMsMax = 0;

  static async start(): Promise<NetworkServer> {
    const network = new NetworkServer();
    await new Promise<void>((resolve) => network.#server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  private constructor() {
    this.#server = net.createServer((socket) => this.#serve(socket));
  }

  get port(): number {
    const address = this.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('the network does not listen');
    return address.port;
  }

  /** The number's phone scans the shown code, or a never linked number's first one. */
  link(numberId: string, phone: string): void {
    const socket = this.#sessions.get(numberId);
    if (!socket || !this.#waiting.delete(socket)) {
      if (!this.#linked.has(numberId)) this.#scanners.set(numberId, phone);
      return;
    }
    this.#scanners.delete(numberId);
    const link = { device: randomUUID(), opened: 0 };
    this.#phones.set(numberId, phone);
    this.#linked.set(numberId, link);
    sendFrame(socket, { t: 'ready', phone, link });
  }

  /** The device is removed on the phone. */
  unlink(numberId: string): void {
    this.#phones.delete(numberId);
    const socket = this.#sessions.get(numberId);
    if (socket) sendFrame(socket, { t: 'logged_out' });
  }

  /** The number's browser ends without a report. */
  kill(numberId: string): void {
    this.#sessions.get(numberId)?.destroy();
  }

  rule(numberId: string, rule: NetworkRule): void {
    this.#rules.set(numberId, [...(this.#rules.get(numberId) ?? []), rule]);
  }

  /** Is there a rule that has not applied yet? */
  hasRules(numberId: string): boolean {
    return (this.#rules.get(numberId)?.length ?? 0) > 0;
  }

  clearRules(numberId: string): void {
    this.#rules.delete(numberId);
  }

  inbox(numberId: string): Arrival[] {
    return [...(this.#arrivals.get(numberId)?.values() ?? [])];
  }

  /** Forgets a number's arrivals before a time, in ms since the epoch, and returns them: a long run's record stays small. */
  takeArrivals(numberId: string, before: number): Arrival[] {
    const old = this.inbox(numberId).filter(({ at }) => at < before);
    for (const { id } of old) this.#arrivals.get(numberId)?.delete(id);
    return old;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sessions.values()) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    let numberId = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#sessions.get(numberId) === socket) this.#sessions.delete(numberId);
    });
    const lines = createInterface({ input: socket });
    lines.on('error', () => {});
    lines.on('line', (line) => {
      const said = JSON.parse(line) as FromSession;
      if (said.t === 'open') {
        numberId = said.numberId;
        this.#profiles.set(socket, said.profileDir);
        this.#open(said, socket);
      } else if (said.t === 'sweep') {
        for (const other of this.#sessions.values())
          if (this.#profiles.get(other) === said.profileDir) other.destroy();
        socket.end('{"t":"swept"}\n');
      } else if (said.t === 'write') this.#jobs.get(said.id)?.(said.allowed);
      else void this.#answer(numberId, socket, said);
    });
  }

  /** How often the number's profile was opened since it was linked. */
  opened(numberId: string): number {
    return this.#linked.get(numberId)?.opened ?? 0;
  }

  #open({ numberId, stored }: Extract<FromSession, { t: 'open' }>, socket: Socket): void {
    const other = this.#sessions.get(numberId);
    if (other) setTimeout(() => this.#countIfOpen(other), CLOSED_WITHIN_MS);
    this.#sessions.set(numberId, socket);
    const phone = this.#phones.get(numberId);
    const known = this.#linked.get(numberId);
    const isLinked = stored !== null && stored.device === known?.device;
    if (!isLinked || phone === undefined) {
      this.#waiting.add(socket);
      sendFrame(socket, { t: 'qr' });
      const scanner = this.#scanners.get(numberId);
      if (scanner !== undefined) this.link(numberId, scanner);
      return;
    }
    if (stored.opened <= known.opened) this.rewound += 1;
    this.#linked.set(numberId, stored);
    this.reach.logIn(numberId, socket);
  }

  #countIfOpen(other: Socket): void {
    if (!other.destroyed) this.doubled += 1;
  }

  async #answer(
    numberId: string,
    socket: Socket,
    said: Exclude<FromSession, { t: 'open' | 'sweep' | 'write' }>,
  ): Promise<void> {
    const result = (value: unknown) => sendFrame(socket, { t: 'result', seq: said.seq, value });
    switch (said.t) {
      case 'exists': {
        const rule = await this.#applyRule(numberId, 'exists');
        if (rule?.action !== 'hang') result(rule?.action !== 'not-on-whatsapp');
        return;
      }
      case 'send':
        return this.#send(numberId, socket, said, result);
      case 'find':
        return result(this.#arrivals.get(numberId)?.has(said.id) ? 1 : null);
      case 'probe':
        return result(this.reach.probe(numberId, socket));
      case 'logout':
        this.#phones.delete(numberId);
        return result(true);
      default:
        return said satisfies never;
    }
  }

  async #send(
    numberId: string,
    socket: Socket,
    said: Extract<FromSession, { t: 'send' }>,
    result: (value: unknown) => void,
  ): Promise<void> {
    for (const stage of ['call', 'add'] as const) {
      const rule = await this.#applyRule(numberId, stage);
      if (rule?.action === 'hang') return;
    }
    result('added');
    await delay(Math.random() * this.travelMsMax);
    await this.#applyRule(numberId, 'job');
    const failed = await this.#runJob(numberId, socket, said).catch((error: Error) => error.message);
    if (failed === null) return;
    const report = { step: 'jobFailed', error: failed, through: false } as const;
    sendFrame(socket, { t: 'report', id: said.id, report });
  }

  /** What our hook and the page's job do with a message. Resolves to why nothing was written, or null. */
  async #runJob(
    numberId: string,
    socket: Socket,
    said: Extract<FromSession, { t: 'send' }>,
  ): Promise<string | null> {
    const { id } = said;
    if (!(await this.reach.jobMayBegin(numberId, socket))) return HOOK_ERRORS.disconnected;
    if (!(await this.#mayWrite(socket, id))) return HOOK_ERRORS.heldBack;
    const onWire = await this.#applyRule(numberId, 'wire');
    if (onWire?.action === 'hang') return null;
    // It was let through: it waits in the page for a reconnection, as long as the page runs.
    if (!(await this.reach.lineBack(numberId, socket))) return null;
    const answer = (error: number | null) =>
      sendFrame(socket, { t: 'report', id, report: { step: 'job', error } });
    if (onWire?.action === 'refuse') {
      answer(REFUSED);
      return null;
    }
    this.#record(numberId, said);
    await delay(Math.random() * this.travelMsMax);
    const after = await this.#applyRule(numberId, 'after');
    if (after?.action === 'hang') return null;
    if (!(await this.reach.lineBack(numberId, socket))) return null;
    answer(null);
    if (this.acknowledging.has(numberId))
      for (const ack of [2, 3]) sendFrame(socket, { t: 'report', id, report: { step: 'ack', ack } });
    return null;
  }

  #mayWrite(socket: Socket, id: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.#jobs.set(id, (allowed) => {
        this.#jobs.delete(id);
        resolve(allowed);
      });
      sendFrame(socket, { t: 'mayWrite', id });
    });
  }

  #record(numberId: string, { id, to, body }: Extract<FromSession, { t: 'send' }>): void {
    const arrivals = this.#arrivals.get(numberId) ?? new Map<string, Arrival>();
    this.#arrivals.set(numberId, arrivals);
    const earlier = arrivals.get(id);
    if (earlier) earlier.repeats += 1;
    else arrivals.set(id, { id, to, body, at: Date.now(), repeats: 0 });
  }

  async #applyRule(numberId: string, stage: Stage): Promise<NetworkRule | undefined> {
    const rules = this.#rules.get(numberId) ?? [];
    const rule = rules.find((candidate) => candidate.stage === stage);
    if (!rule) return undefined;
    this.#rules.set(
      numberId,
      rules.filter((candidate) => candidate !== rule),
    );
    await delay(rule.ms ?? (rule.action === 'late' ? 1000 : 0));
    return rule;
  }
}
