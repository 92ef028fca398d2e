import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** The `application_name` of listening connections. */
export const LISTENER_NAME = 'wirebird-listen';

const AGAIN_MS = 500;
/** How often the connection is checked. */
const ASK_EVERY_MS = 3000;
const ANSWER_MS = 5000;

interface Subscription {
  channel: string;
  onNotification(payload: string): void;
  onListen(): void;
}

/** One connection for all LISTENs of a pool, opened on first use and reopened after a loss. */
export class Listener {
  readonly #config: pg.ClientConfig;
  readonly #subscriptions = new Set<Subscription>();
  #client: pg.Client | null = null;
  #connecting: Promise<pg.Client> | null = null;
  #stopped = false;

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, query_timeout: ANSWER_MS, application_name: LISTENER_NAME };
  }

  /** Resolves when listening has begun. Rejects when the database is out of reach. */
  async listen(
    channel: string,
    onNotification: (payload: string) => void,
    onListen: () => void = () => {},
  ): Promise<{ unlisten(): Promise<void> }> {
    const client = await this.#connected();
    const subscription = { channel, onNotification, onListen };
    // Before the query, so that no notification arrives unseen and no earlier subscriber's end stops the channel.
    this.#subscriptions.add(subscription);
    try {
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#subscriptions.delete(subscription);
      throw error;
    }
    onListen();
    return {
      unlisten: async () => {
        this.#subscriptions.delete(subscription);
        if (![...this.#subscriptions].some((other) => other.channel === channel))
          await this.#client?.query(`unlisten ${client.escapeIdentifier(channel)}`).catch(() => {});
      },
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#client?.end().catch(() => {});
  }

  #connected(): Promise<pg.Client> {
    if (this.#client) return Promise.resolve(this.#client);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = null;
    });
    return this.#connecting;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    client.on('error', () => {}); // the `end` event follows
    client.on('notification', ({ channel, payload = '' }) => {
      for (const subscription of this.#subscriptions)
        if (subscription.channel === channel) subscription.onNotification(payload);
    });
    try {
      await client.connect();
      for (const channel of new Set([...this.#subscriptions].map((one) => one.channel)))
        await client.query(`listen ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // A standby accepts the connection and refuses to listen.
      void client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    client.once('end', () => void this.#lost(client));
    void this.#ask(client);
    return client;
  }

  /**
   * Checks the connection regularly: one that only listens does not notice that it is half-open, or that another server
   * has taken over and announces the changes.
   */
  async #ask(client: pg.Client): Promise<void> {
    while (this.#client === client && !this.#stopped) {
      await delay(ASK_EVERY_MS, undefined, { ref: false });
      try {
        const { rows } = await client.query('show transaction_read_only');
        if (rows[0]?.transaction_read_only === 'on') return this.#lost(client);
      } catch {
        return this.#lost(client);
      }
    }
  }

  async #lost(client: pg.Client): Promise<void> {
    if (this.#client !== client) return;
    this.#client = null;
    void client.end().catch(() => {});
    while (!this.#stopped && this.#subscriptions.size > 0) {
      try {
        await this.#connected();
        for (const { onListen } of this.#subscriptions) onListen();
        return;
      } catch {
        await delay(AGAIN_MS, undefined, { ref: false });
      }
    }
  }
}
