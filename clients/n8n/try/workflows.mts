/** The workflows of the try. */
import { randomUUID } from 'node:crypto';

interface Node {
  id: string;
  name: string;
  type: string;
  typeVersion: number;
  position: [number, number];
  parameters: object;
  credentials?: object;
  webhookId?: string;
  retryOnFail?: boolean;
  maxTries?: number;
  waitBetweenTries?: number;
  onError?: 'continueRegularOutput' | 'continueErrorOutput';
}

export interface Workflow {
  name: string;
  nodes: Node[];
  connections: Record<string, { main: { node: string; type: 'main'; index: number }[][] }>;
  settings: { executionOrder: 'v1'; timezone: string };
}

export const SEND = 'Send a WhatsApp message';
export const EVENT = 'Message was delivered or failed';

export interface OrdersOptions {
  path: string;
  credential: string;
  /** The recipient: an expression. */
  to?: string;
  /** Other fields of the Wirebird node than those of a new node. */
  parameters?: object;
  settings?: Pick<Node, 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'onError'>;
}

/** Sends a text for each order that is posted to `/webhook/<path>` as `{"orders":[{"phone":"…","text":"…"}]}`. */
export function ordersWorkflow(options: OrdersOptions): Workflow {
  const { path, credential, to = '={{ $json.phone }}' } = options;
  return workflow(`Orders of ${path}`, [
    {
      name: 'Orders are ready',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      parameters: { httpMethod: 'POST', path, options: {} },
      webhookId: randomUUID(),
    },
    {
      name: 'Each order',
      type: 'n8n-nodes-base.splitOut',
      typeVersion: 1,
      parameters: { fieldToSplitOut: 'body.orders', options: {} },
    },
    {
      name: SEND,
      type: 'n8n-nodes-wirebird.wirebird',
      typeVersion: 1,
      parameters: { to, body: '={{ $json.text }}', ...options.parameters },
      credentials: wirebird(credential),
      ...options.settings,
    },
  ]);
}

/** Starts when Wirebird reports one of the events. */
export function eventsWorkflow(credential: string, events: string[]): Workflow {
  return workflow('Outcomes', [
    {
      name: EVENT,
      type: 'n8n-nodes-wirebird.wirebirdTrigger',
      typeVersion: 1,
      parameters: { events },
      credentials: wirebird(credential),
      webhookId: randomUUID(),
    },
    { name: 'Keep the outcome', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
  ]);
}

/** A message for each order, and a call when a message failed. */
export function pictureWorkflow(credential: string): Workflow {
  const orders = ordersWorkflow({ path: 'orders', credential });
  const events = eventsWorkflow(credential, ['message.delivered', 'message.failed', 'message.unknown']);
  const below = events.nodes.map((node) => ({
    ...node,
    position: [node.position[0], 220] as [number, number],
  }));
  return {
    ...orders,
    name: 'Orders',
    nodes: [...orders.nodes, ...below],
    connections: { ...orders.connections, ...events.connections },
  };
}

const wirebird = (id: string) => ({ wirebirdApi: { id, name: 'Wirebird' } });

/** A chain of nodes. */
function workflow(name: string, chain: Omit<Node, 'id' | 'position'>[]): Workflow {
  const nodes = chain.map((node, place) => ({
    ...node,
    // The same after an update: a message's idempotency key depends on it.
    id: node.name,
    position: [place * 220, 0] as [number, number],
  }));
  const connections = Object.fromEntries(
    nodes.slice(1).map(({ name: to }, place) => {
      const from = nodes[place]?.name ?? '';
      return [from, { main: [[{ node: to, type: 'main' as const, index: 0 }]] }];
    }),
  );
  return { name, nodes, connections, settings: { executionOrder: 'v1', timezone: 'Europe/Berlin' } };
}
