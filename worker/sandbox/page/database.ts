import type { Credentials } from './protocol.ts';

/** What the page stores in its own IndexedDB, where a link is kept between two starts of a browser. */
export interface Stored {
  credentials: Credentials & { noiseKey: number[]; identityKey: number[] };
  lids: { phone: string; lid: string };
  chats: { id: string; formattedTitle: string; t: number };
  messages: StoredMessage;
}

/** A message with its ids as text. */
export interface StoredMessage {
  id: string;
  chat: string;
  from: string;
  to: string;
  ack: number;
  [attribute: string]: unknown;
}

const STORES: readonly (keyof Stored)[] = ['credentials', 'lids', 'chats', 'messages'];

const database = await new Promise<IDBDatabase>((resolve, reject) => {
  const opening = indexedDB.open('wirebird-sandbox', 1);
  opening.onupgradeneeded = () => {
    for (const store of STORES) opening.result.createObjectStore(store);
  };
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});

function transaction<T>(
  store: keyof Stored,
  mode: IDBTransactionMode,
  work: (records: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const running = database.transaction(store, mode, { durability: 'relaxed' });
    const request = work(running.objectStore(store));
    running.oncomplete = () => resolve(request.result);
    running.onerror = () => reject(running.error);
    running.onabort = () => reject(running.error);
  });
}

export async function put<S extends keyof Stored>(store: S, key: string, value: Stored[S]): Promise<void> {
  await transaction(store, 'readwrite', (records) => records.put(value, key));
}

export const read = <S extends keyof Stored>(store: S, key: string): Promise<Stored[S] | undefined> =>
  transaction(store, 'readonly', (records) => records.get(key));

export const readAll = <S extends keyof Stored>(store: S): Promise<Stored[S][]> =>
  transaction(store, 'readonly', (records) => records.getAll());

/** Deletes everything, as a logout does. */
export async function wipe(): Promise<void> {
  localStorage.clear();
  for (const store of STORES) await transaction(store, 'readwrite', (records) => records.clear());
}
