import { database } from '#server/db/client.ts';

type Listener = (accountId: string) => void;

interface Hub {
  listeners: Set<Listener>;
  started?: Promise<unknown>;
}

const shared = globalThis as typeof globalThis & { wirebirdAccountChanges?: Hub };

function hub(): Hub {
  shared.wirebirdAccountChanges ??= { listeners: new Set() };
  return shared.wirebirdAccountChanges;
}

/**
 * Calls `listener` when an account is suspended, resumed, or its plan changes, over the same connection as
 * `onChange`, whose `resync` says as well that some of these may have been missed. Resolves, when listening has
 * begun, to the function that ends it.
 */
export async function onAccountChange(listener: Listener): Promise<() => void> {
  const h = hub();
  h.listeners.add(listener);
  h.started ??= database()
    .sql.listen('wirebird_account', (accountId) => {
      for (const tell of h.listeners) tell(accountId);
    })
    .catch((error: unknown) => {
      delete h.started;
      throw error;
    });
  try {
    await h.started;
  } catch (error) {
    h.listeners.delete(listener);
    throw error;
  }
  return () => h.listeners.delete(listener);
}
