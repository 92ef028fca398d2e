import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { type GuardedClient, openGuardedClient } from '#server/platform/media/guarded-client.ts';
import { webhookClientRules } from '#server/webhooks/endpoint-url.ts';

/** What posts events to an endpoint: nothing leaves for one that is only inspected on its page. */
export function clientOf(url: string): GuardedClient {
  if (url !== INSPECT_URL) return openGuardedClient(url, webhookClientRules());
  return { post: async () => ({ status: 200, body: 'Shown on this page.' }), close: async () => {} };
}
