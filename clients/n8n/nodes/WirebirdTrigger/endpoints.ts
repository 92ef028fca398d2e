import {
  type IDataObject,
  type IHookFunctions,
  type IWebhookFunctions,
  NodeOperationError,
} from 'n8n-workflow';
import { request } from '../shared/request';

/** An endpoint as `GET /v1/webhooks` lists it. */
interface Endpoint {
  id: string;
  url: string;
  events: string[];
  active: boolean;
}

/** The stored data of an endpoint that this node created. Only the answer to its creation has the secret. */
interface Kept {
  id: string;
  secret: string;
}

/** By address: while a workflow is active, its test address has a separate endpoint. */
type KeptEndpoints = Record<string, Kept | undefined>;

export const keptEndpoint = (ctx: IHookFunctions | IWebhookFunctions): Kept | undefined =>
  endpointsOf(ctx)[addressOf(ctx)];

const endpointsOf = (ctx: IHookFunctions | IWebhookFunctions): KeptEndpoints =>
  (ctx.getWorkflowStaticData('node').endpoints ?? {}) as KeptEndpoints;

function keep(ctx: IHookFunctions, endpoint: Kept | undefined): void {
  const endpoints = { ...endpointsOf(ctx) };
  if (endpoint) endpoints[addressOf(ctx)] = endpoint;
  else delete endpoints[addressOf(ctx)];
  ctx.getWorkflowStaticData('node').endpoints = endpoints as unknown as IDataObject;
}

/**
 * Whether Wirebird still sends the wanted events to this node's address, signed with the stored secret. Removes
 * every other endpoint of the address.
 */
export async function endpointExists(ctx: IHookFunctions): Promise<boolean> {
  const url = addressOf(ctx);
  const kept = keptEndpoint(ctx);
  const { data } = await request(ctx, { method: 'GET', path: '/webhooks', repeatable: true });
  let exists = false;
  for (const endpoint of (data.webhooks as unknown as Endpoint[]).filter((one) => one.url === url)) {
    const ours = endpoint.id === kept?.id && endpoint.active;
    if (ours && sameEvents(endpoint.events, wantedEvents(ctx))) exists = true;
    else await remove(ctx, endpoint.id);
  }
  if (!exists && kept) keep(ctx, undefined);
  return exists;
}

export async function createEndpoint(ctx: IHookFunctions): Promise<void> {
  const { data } = await request(ctx, {
    method: 'POST',
    path: '/webhooks',
    body: { url: addressOf(ctx), events: wantedEvents(ctx) },
    headers: { 'Content-Type': 'application/json' },
    // Only the lost answer has the secret, so a second endpoint is needed; the next activation removes this one.
    repeatable: false,
  });
  keep(ctx, { id: data.id as string, secret: data.secret as string });
}

export async function removeEndpoint(ctx: IHookFunctions): Promise<void> {
  const kept = keptEndpoint(ctx);
  if (!kept) return;
  await remove(ctx, kept.id);
  keep(ctx, undefined);
}

async function remove(ctx: IHookFunctions, id: string): Promise<void> {
  const path = `/webhooks/${id}`;
  await request(ctx, { method: 'DELETE', path, repeatable: true, accept: ['not_found'] });
}

function addressOf(ctx: IHookFunctions | IWebhookFunctions): string {
  const url = ctx.getNodeWebhookUrl('default');
  // In the form that Wirebird uses in its list.
  if (url) return new URL(url).href;
  throw new NodeOperationError(ctx.getNode(), 'n8n has no address for this webhook. Set WEBHOOK_URL.');
}

const wantedEvents = (ctx: IHookFunctions) => ctx.getNodeParameter('events') as string[];

const sameEvents = (a: string[], b: string[]) =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
