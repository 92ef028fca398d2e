import type { Group, InboxEntry, LoginRefusal, Restrictions } from '#server/sandbox/contract.ts';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import type { StoredRule } from '#server/sandbox/rule.ts';
import { type Change, openJournal, readJournal } from './journal.ts';

/** A refusal of logins, as stored in the phone's account. */
export interface StoredRefusal extends Omit<LoginRefusal, 'expire' | 'times'> {
  /** When the refusal ends, in ms since the epoch. */
  until?: number | undefined;
  /** How many more logins are refused; absent: all. */
  left?: number | undefined;
}

/** A passkey for whatsapp.com; its bytes are base64url, the private key PKCS #8. */
export interface StoredPasskey {
  credentialId: string;
  userHandle: string;
  privateKey: string;
}

/** A virtual phone and how it behaves. */
export interface Account {
  phone: string;
  name: string;
  reach: 'online' | 'offline' | 'silent';
  passkeyDemanded: boolean;
  /** Made when it is first needed. */
  passkey?: StoredPasskey;
  /** The status with which pairing codes for it are refused. */
  codesRefused?: 429 | 400 | null;
  /** How its pages' logins are refused. */
  refusal?: StoredRefusal | null;
  deliveredMs: number | null;
  readMs: number | null;
  groups: Group[];
  rules: StoredRule[];
  restrictions?: Restrictions;
  /** How often messages were repeated. Kept here, because the messages may have been deleted for space. */
  repeats: number;
}

/** A browser linked to a phone. */
export interface Device {
  id: string;
  phone: string;
  token: string;
  linkedAt: number;
}

/** A delivered message. The times at which it counts as delivered and read are fixed on arrival. */
export interface StoredMessage {
  phone: string;
  /** The full ID by which the page knows the message. */
  key: string;
  entry: Omit<InboxEntry, 'ack' | 'repeats'>;
  deliveredAt: number | null;
  readAt: number | null;
  repeats: number;
}

export interface InboundMessage {
  id: string;
  phone: string;
  from: string;
  body: string;
  at: number;
  /** Whether a page has received it. Otherwise the next page that connects gets it. */
  delivered: boolean;
}

interface Records {
  account: Account;
  device: Device;
  message: StoredMessage;
  inbound: InboundMessage;
  unregistered: true;
  config: NetworkConfig;
  ports: { https: number; control: number; samples: number };
}
type Kind = keyof Records;

const KINDS: readonly Kind[] = ['account', 'device', 'message', 'inbound', 'unregistered', 'config', 'ports'];
// A journal is compacted when it has this many lines more than three times its current records.
const COMPACTION_SLACK_LINES = 20_000;

/**
 * The sandbox's persistent data, in memory in order of creation and in a journal file. Do not change a stored
 * value: put a new one.
 */
export class Store {
  readonly #tables = Object.fromEntries(KINDS.map((kind) => [kind, new Map()])) as {
    [K in Kind]: Map<string, Records[K]>;
  };
  readonly #journal;
  #lines = 0;

  constructor(file: string) {
    for (const [kind, key, value] of readJournal(file)) {
      const table = this.#tables[kind as Kind] as Map<string, unknown> | undefined;
      if (!table) continue;
      if (value === null) table.delete(key);
      else table.set(key, value);
    }
    this.#journal = openJournal(file);
    this.#compact();
  }

  get lines(): number {
    return this.#lines;
  }

  get<K extends Kind>(kind: K, key: string): Records[K] | undefined {
    return this.#tables[kind].get(key);
  }

  /** All records of a kind, oldest first. */
  list<K extends Kind>(kind: K): Records[K][] {
    return [...this.#tables[kind].values()];
  }

  keys(kind: Kind): string[] {
    return [...this.#tables[kind].keys()];
  }

  put<K extends Kind>(kind: K, key: string, value: Records[K]): void {
    this.#append([kind, key, value]);
    this.#tables[kind].set(key, value);
  }

  delete(kind: Kind, key: string): void {
    if (!this.#tables[kind].has(key)) return;
    this.#append([kind, key, null]);
    this.#tables[kind].delete(key);
  }

  close(): void {
    this.#journal.close();
  }

  #append(change: Change): void {
    if (this.#lines > 3 * this.#size() + COMPACTION_SLACK_LINES) this.#compact();
    this.#journal.append(change);
    this.#lines++;
  }

  #size(): number {
    return KINDS.reduce((sum, kind) => sum + this.#tables[kind].size, 0);
  }

  #compact(): void {
    this.#journal.rewrite(this.#changes());
    this.#lines = this.#size();
  }

  *#changes(): Iterable<Change> {
    for (const kind of KINDS) {
      for (const [key, value] of this.#tables[kind]) yield [kind, key, value];
    }
  }
}
