import fs from 'node:fs';
import net, { type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type {
  Engine,
  EngineSession,
  NumberLimits,
  Outgoing,
  SessionEvents,
  SessionOptions,
  TestedKinds,
} from '#server/core/engine.ts';
import { type Address, personOf } from '#server/core/recipient.ts';
import type { SendError } from '#server/core/send-failures.ts';
import { LoginWatch } from '../engine/login-watch.ts';
import { Outbox } from '../engine/outbox.ts';
import { HOOK_ERRORS } from '../engine/page/hook-errors.ts';
import { prepareProfile, removeProfile } from '../engine/profile.ts';
import type { EndState } from '../engine/states.ts';
import { withTimeout } from '../engine/timeout.ts';
import { ENGINE_TIMES } from '../engine/times.ts';
import { rightDraft } from './engine-outbox.ts';
import type { FromSession, ToSession } from './network-frames.ts';
import { readLink, writeLink } from './stored-link.ts';

const CALL_MS = 15_000;
const PROBE_MS = 2500;
const BUILD = 'remote';

/** An engine without a browser, whose network is another process: see {@link NetworkServer}. */
export function remoteEngine(port: number): Engine {
  return { open: (options, events) => new RemoteSession(port, options, events) };
}

/** Ends what a killed or paused worker left running on a profile. */
export async function sweepRemote(port: number, profileDir: string): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  const question: FromSession = { t: 'sweep', profileDir };
  socket.write(`${JSON.stringify(question)}\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve());
    socket.once('error', reject);
  });
  socket.destroy();
}

/** A request without its number. */
type Question = FromSession extends infer Said
  ? Said extends { seq: number }
    ? Omit<Said, 'seq'>
    : never
  : never;

class RemoteSession implements EngineSession {
  readonly #port: number;
  readonly #options: SessionOptions;
  readonly #events: SessionEvents;
  readonly #outbox: Outbox;
  readonly #login: LoginWatch;
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>();
  #socket: Socket | null = null;
  #seq = 0;
  #over = false;

  constructor(port: number, options: SessionOptions, events: SessionEvents) {
    this.#port = port;
    this.#options = options;
    this.#events = events;
    this.#outbox = new Outbox({
      mayDispatch: (id) => options.mayDispatch(id),
      askMs: CALL_MS,
      ack: (id, ack, code) => events.ack(id, ack, code),
      notSent: (id, failure) => events.notSent(id, failure),
    });
    this.#login = new LoginWatch({
      times: ENGINE_TIMES,
      onState: (state) => events.state(state),
      end: (state, ended) => this.#end(state, ended),
      onLeaving: () => {},
      onStreamEnded: () => {},
      onLoaded: () => {},
    });
  }

  async start(): Promise<void> {
    await prepareProfile(this.#options.profileDir);
    if (this.#over) throw new Error('stopped');
    const socket = net.connect(this.#port, '127.0.0.1');
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const { reject } of this.#asked.values()) reject(new Error('the session has ended'));
      if (!this.#over) this.#events.state({ state: 'gone', reason: 'the network has gone' });
    });
    const lines = createInterface({ input: socket });
    lines.on('error', () => {});
    lines.on('line', (line) => this.#hear(JSON.parse(line)));
    const { numberId, profileDir } = this.#options;
    const link = readLink(profileDir);
    const stored = link && { ...link, opened: link.opened + 1 };
    // Written before it is sent, so that a process killed in between does not count as an older one.
    if (stored) writeLink(profileDir, stored);
    this.#say({ t: 'open', numberId, profileDir, stored });
  }

  async stop(): Promise<void> {
    this.#over = true;
    this.#login.stop();
    this.#socket?.destroy();
  }

  async unlink(): Promise<boolean> {
    const answered = await this.#ask({ t: 'logout' }, CALL_MS);
    await this.stop();
    await removeProfile(this.#options.profileDir);
    return answered === true;
  }

  async requestPairingCode(): Promise<string> {
    return 'ABCD1234';
  }

  async replyPasskey(): Promise<void> {}

  async lookUp(digits: string): Promise<Address | null> {
    return (await this.#ask({ t: 'exists', digits }, CALL_MS)) ? personOf(digits) : null;
  }

  async canAddress(): Promise<boolean> {
    return true;
  }

  async send(message: Outgoing): Promise<void> {
    const { waMessageId: id, recipient: to, content } = message;
    const body = content.type === 'text' ? content.body : 'caption' in content ? (content.caption ?? '') : '';
    await this.#outbox.dispatch(message, CALL_MS, async () => {
      if (!(await this.#outbox.openGate(id, rightDraft(message)))) throw new Error(HOOK_ERRORS.heldBack);
      if (this.#over) throw new Error('the session has ended');
      await this.#ask({ t: 'send', id, to, body }, CALL_MS);
    });
  }

  async testKinds(): Promise<TestedKinds> {
    return {};
  }

  check(): Promise<never> {
    throw new Error('this page has no self-test');
  }

  giveUp(waMessageId: string): SendError {
    return this.#outbox.giveUp(waMessageId);
  }

  endSending(): void {
    this.#outbox.end();
  }

  async probe(): Promise<boolean> {
    return (await this.#ask({ t: 'probe' }, PROBE_MS).catch(() => false)) === true;
  }

  async reconcile({ waMessageId }: { waMessageId: string }): Promise<number | null> {
    return (await this.#ask({ t: 'find', id: waMessageId }, CALL_MS)) as number | null;
  }

  async listGroups(): Promise<[]> {
    return [];
  }

  async health(): Promise<NumberLimits> {
    return { timelock: null, cap: null, checkpoint: null };
  }

  #hear(frame: ToSession): void {
    switch (frame.t) {
      case 'qr':
        this.#events.state({ state: 'qr' });
        this.#events.qr('2@remote', Date.now() + 60_000);
        break;
      case 'ready':
        if (frame.link) writeLink(this.#options.profileDir, frame.link);
        this.#login.report({ kind: 'accepted' });
        this.#events.state({ state: 'ready', phone: frame.phone, pushName: null, build: BUILD });
        break;
      case 'logged_out':
        this.#end({ state: 'logged_out', reason: null });
        break;
      case 'conflict':
        this.#end({ state: 'conflict' });
        break;
      case 'refused':
        this.#login.report({ kind: 'refused', ...frame.refusal });
        break;
      case 'changed':
        this.#end({ state: 'unfit', build: BUILD, failed: frame.what });
        break;
      case 'waiting':
        this.#events.state({ state: 'waiting', cause: { code: 'connection_cut' } });
        break;
      case 'mayWrite':
        void this.#outbox
          .mayWrite(frame.id)
          .then((allowed) => this.#say({ t: 'write', id: frame.id, allowed }));
        break;
      case 'report':
        this.#outbox.report(frame.id, frame.report);
        break;
      case 'result':
        this.#asked.get(frame.seq)?.resolve(frame.value);
        this.#asked.delete(frame.seq);
        break;
      default:
        frame satisfies never;
    }
  }

  #end(state: EndState, { linkGone = state.state === 'logged_out' } = {}): void {
    if (this.#over) return;
    this.#events.state(state);
    void this.stop();
    if (linkGone) fs.rmSync(this.#options.profileDir, { recursive: true, force: true });
  }

  #ask(question: Question, limitMs: number): Promise<unknown> {
    this.#seq += 1;
    const seq = this.#seq;
    const answer = Promise.withResolvers<unknown>();
    this.#asked.set(seq, answer);
    this.#say({ ...question, seq } as FromSession);
    return withTimeout(limitMs, question.t, answer.promise);
  }

  #say(frame: FromSession): void {
    this.#socket?.write(`${JSON.stringify(frame)}\n`);
  }
}
