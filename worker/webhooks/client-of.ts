import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import { type GuardedClient, openGuardedClient } from '#server/platform/media/guarded-client.ts';
import { webhookClientRules } from '#server/webhooks/endpoint-url.ts';

/** The client that posts events to an endpoint. It sends nothing if the events are only shown on its page. */
export function clientOf(url: string): GuardedClient {
  if (url !== INSPECT_URL) return openGuardedClient(url, webhookClientRules());
  return { post: async () => ({ status: 200, body: 'Shown on this page.' }), close: async () => {} };
}
