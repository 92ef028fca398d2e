import net, { type Socket } from 'node:net';
import { freePort } from '../stack.ts';
import { MessageSplitter } from './wire-messages.ts';

/** What happens to a statement of a client: `hold` keeps it, and all after it, from the server. */
export type Verdict = 'pass' | 'hold' | 'lose-answer';

/** Decides about a statement on its way to the server by its text and its connection. */
export type Judge = (statement: string, connection: object) => Verdict;

interface Line {
  client: Socket;
  server: Socket;
  /** Half-open: bytes are lost in both directions, and neither end notices. */
  swallowed: boolean;
  /** Statements that were sent, and those that the server has finished: several may be in progress at once. */
  sent: number;
  done: number;
  /** The statement whose answer never arrives. */
  losing: number | null;
}

/**
 * A proxy between one process and PostgreSQL. It can cut, refuse or swallow the connection, hold a certain
 * statement, or drop notifications, without either end noticing.
 */
export class DatabaseProxy {
  readonly #lines = new Set<Line>();
  readonly #server: net.Server;
  readonly #target: URL;
  readonly port: number;
  refusing = false;
  dropNotifications = false;
  judge: Judge = () => 'pass';

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(databaseUrl, await freePort());
    await new Promise<void>((resolve) => proxy.#server.listen(proxy.port, '127.0.0.1', resolve));
    return proxy;
  }

  private constructor(databaseUrl: string, port: number) {
    this.#target = new URL(databaseUrl);
    this.port = port;
    this.#server = net.createServer((client) => this.#join(client));
  }

  /** The database's address through this proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  /** Breaks all current connections. */
  cut(): void {
    for (const { client, server } of this.#lines) {
      client.destroy();
      server.destroy();
    }
  }

  /** All current connections become half-open; new ones work. */
  swallow(): void {
    for (const line of this.#lines) line.swallowed = true;
  }

  /** Ends all faults. Held statements are lost with their connection. */
  restore(): void {
    this.refusing = false;
    this.dropNotifications = false;
    this.judge = () => 'pass';
  }

  /** Resolves when a statement that matches `wanted` arrives; the verdict applies to it once. */
  await(wanted: (statement: string, connection: object) => boolean, verdict: Verdict): Promise<void> {
    return new Promise((resolve) => {
      this.judge = (statement, connection) => {
        if (!wanted(statement, connection)) return 'pass';
        this.judge = () => 'pass';
        resolve();
        return verdict;
      };
    });
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(client: Socket): void {
    client.on('error', () => {});
    if (this.refusing) return void client.resetAndDestroy();
    const server = net.connect(Number(this.#target.port || 5432), this.#target.hostname);
    // A message is several writes here; none waits for the other end to have the previous one.
    for (const socket of [client, server]) socket.setNoDelay(true);
    // The greeting ends like a statement.
    const line: Line = { client, server, swallowed: false, sent: 0, done: -1, losing: null };
    this.#lines.add(line);
    const end = () => {
      this.#lines.delete(line);
      client.destroy();
      server.destroy();
    };
    server.on('error', () => {});
    client.on('close', end);
    server.on('close', end);
    this.#forward(line);
  }

  #forward(line: Line): void {
    const { client, server } = line;
    const toServer = new MessageSplitter({ greeting: true });
    const toClient = new MessageSplitter({ greeting: false });
    const prepared = new Map<string, string>();
    let held = false;
    client.on('data', (bytes) => {
      if (line.swallowed || held) return;
      for (const message of toServer.push(bytes)) {
        const statement = statementOf(message, prepared);
        const verdict = statement === null ? 'pass' : this.judge(statement, line);
        if (verdict === 'hold') {
          held = true;
          return;
        }
        if (verdict === 'lose-answer') line.losing = line.sent;
        if (statement !== null) line.sent += 1;
        server.write(message);
      }
    });
    server.on('data', (bytes) => {
      if (line.swallowed) return;
      for (const message of toClient.push(bytes)) {
        if (this.dropNotifications && message[0] === NOTIFICATION) continue;
        const losing = line.losing === line.done;
        // The server has finished it, but the client gets no answer.
        if (losing && message[0] === COMPLETE) return void client.destroy();
        if (message[0] === READY) line.done += 1;
        if (!losing) client.write(message);
      }
    });
  }
}

/** The statement in a client's message, null for any other message. */
function statementOf(message: Buffer, prepared: Map<string, string>): string | null {
  const texts = () => message.subarray(5).toString('utf8').split('\0');
  switch (message[0]) {
    case QUERY:
      return texts()[0] ?? '';
    case PARSE: {
      const [name = '', statement = ''] = texts();
      prepared.set(name, statement);
      return null;
    }
    case BIND: {
      const [, name = ''] = texts();
      return prepared.get(name) ?? '';
    }
    default:
      return null;
  }
}

const [QUERY, PARSE, BIND, NOTIFICATION, COMPLETE, READY] = [...'QPBACZ'].map((type) => type.charCodeAt(0));
