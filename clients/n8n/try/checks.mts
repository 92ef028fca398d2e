/** What the README promises, in a real n8n. Each check throws when a promise is not kept. */
import assert from 'node:assert/strict';
import { startProxy, until } from '../test/product.mts';
import { type Execution, errorOf, itemsOf, type N8nApi } from './api.mts';
import { EVENT, eventsWorkflow, type OrdersOptions, ordersWorkflow, SEND } from './workflows.mts';

const JONAS = '4915228817386';
const MIA = '4917604069031';
const PUBLISHED_WITHIN_MS = 120_000;

/** A running n8n, and a running Wirebird with one number. */
export interface World {
  n8n: { url: string; api: N8nApi };
  wirebird: { baseUrl: string; apiKey: string };
  /** In n8n, of `wirebird`. */
  credential: string;
  /** The texts that arrived from the number. */
  arrived(): Promise<string[]>;
}

interface Webhook {
  url: string;
  events: string[];
}

interface Order {
  phone: string;
  text: string;
}

export const CHECKS: Record<string, (world: World) => Promise<void>> = {
  'n8n’s test of the credential refuses a wrong key and accepts the right one': async ({ n8n, ...world }) => {
    const wrong = await n8n.api.createCredential('Wrong', { ...world.wirebird, apiKey: 'wsk_test_wrong' });
    assert.equal((await n8n.api.testCredential(wrong)).status, 'Error');
    assert.equal((await n8n.api.testCredential(world.credential)).status, 'OK');
  },

  'Retry On Fail sends once what was accepted, although the answers were lost': async (world) => {
    let requests = 0;
    // The node repeats the second message twice and fails. Then n8n runs the node again for both.
    await using proxy = await startProxy(
      world.wirebird.baseUrl,
      ({ url }) => url.includes('/messages/') && ++requests >= 2 && requests <= 4,
    );
    const throughProxy = { ...world.wirebird, baseUrl: proxy.url };
    const credential = await world.n8n.api.createCredential('Proxy', throughProxy);
    const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
    const [, execution] = await run(world, { path: 'retry-on-fail', credential, settings }, [
      { phone: JONAS, text: 'Retry On Fail: accepted before the error' },
      { phone: MIA, text: 'Retry On Fail: its answers are lost' },
    ]);
    assert.equal(execution.status, 'success');
    assert.equal(requests, 6);
    assert.equal(itemsOf(execution, SEND).length, 2);
  },

  'the retry of an execution, and a second retry, send only what was not sent': async (world) => {
    const { api } = world.n8n;
    const options = { path: 'retry-execution', credential: world.credential };
    const [workflowId, failed] = await run(world, options, [
      { phone: JONAS, text: 'Retry of an execution: accepted before the error' },
      { phone: '123', text: 'Retry of an execution: had a wrong number' },
      { phone: MIA, text: 'Retry of an execution: after the error' },
    ]);
    assert.equal(failed.status, 'error');
    assert.match(errorOf(failed, SEND)?.message ?? '', /^to must be/);
    const corrected = { ...options, to: `={{ $json.phone === '123' ? '${MIA}' : $json.phone }}` };
    await api.updateWorkflow(workflowId, ordersWorkflow(corrected));
    const retried = await api.retry(failed.id);
    assert.equal(retried.status, 'success');
    const ids = itemsOf(retried, SEND).map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
    const again = await api.retry(failed.id);
    assert.deepEqual(
      itemsOf(again, SEND).map(({ id }) => id),
      ids,
    );
  },

  'with On Error → Continue, an item has Wirebird’s sentence and code, and the others are sent': async (
    world,
  ) => {
    for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
      const [, execution] = await run(world, { path: onError, settings: { onError } }, [
        { phone: JONAS, text: `${onError}: before the error` },
        { phone: '123', text: `${onError}: has a wrong number` },
        { phone: MIA, text: `${onError}: after the error` },
      ]);
      assert.equal(execution.status, 'success');
      const items = itemsOf(execution, SEND);
      const [failed] = onError === 'continueErrorOutput' ? itemsOf(execution, SEND, 1) : items.splice(1, 1);
      assert.deepEqual(
        items.map(({ status }) => status),
        ['queued', 'queued'],
      );
      const { error, details } = failed as { error: string; details: Record<string, unknown> };
      assert.match(error, /^to must be/);
      assert.equal(details.errorCode, 'invalid_parameters');
      assert.equal(details.httpStatus, 400);
    }
  },

  'an address where nothing answers gives a sentence that says so': async (world) => {
    const closed = await startProxy(world.wirebird.baseUrl, () => false);
    await closed[Symbol.asyncDispose]();
    const nowhere = { ...world.wirebird, baseUrl: closed.url };
    const credential = await world.n8n.api.createCredential('Nowhere', nowhere);
    const [, execution] = await run(world, { path: 'nowhere', credential }, [{ phone: JONAS, text: 'x' }]);
    assert.equal(errorOf(execution, SEND)?.message, `Wirebird did not answer at ${closed.url}.`);
  },

  'the trigger has a webhook while its workflow is published, starts for signed events, and refuses others':
    async (world) => {
      const { api, url } = world.n8n;
      const workflowId = await api.createWorkflow(eventsWorkflow(world.credential, ['message.sent']));
      await api.publish(workflowId);
      const [endpoint] = await webhooksOf(world, 1);
      assert.deepEqual(endpoint?.events, ['message.sent']);
      assert.ok(endpoint?.url.startsWith(`${url}/webhook/`), endpoint?.url);

      const unsigned = await fetch(endpoint.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-id': 'evt_forged' },
        body: JSON.stringify({ type: 'message.sent' }),
      });
      assert.equal(unsigned.status, 401);

      const [, sending] = await run(world, { path: 'event' }, [
        { phone: MIA, text: 'Trigger: reported as sent' },
      ]);
      const [sent] = itemsOf(sending, SEND);
      const started = await api.execution(workflowId, 1);
      const [event] = itemsOf(started, EVENT) as { type: string; data: { id: string } }[];
      assert.equal(event?.type, 'message.sent');
      assert.equal(event?.data.id, sent?.id);

      await api.unpublish(workflowId);
      await webhooksOf(world, 0);
    },

  'every text arrived exactly once': async (world) => {
    const [, execution] = await run(
      world,
      { path: 'last', parameters: { waitForOutcome: true, options: { reference: 'last' } } },
      [{ phone: JONAS, text: 'The last message' }],
    );
    assert.equal(itemsOf(execution, SEND)[0]?.status, 'sent');
    const expected = [
      'Retry On Fail: accepted before the error',
      'Retry On Fail: its answers are lost',
      'Retry of an execution: accepted before the error',
      'Retry of an execution: after the error',
      'Retry of an execution: had a wrong number',
      'The last message',
      'Trigger: reported as sent',
      'continueErrorOutput: after the error',
      'continueErrorOutput: before the error',
      'continueRegularOutput: after the error',
      'continueRegularOutput: before the error',
    ];
    const arrived = await until(async () => {
      const texts = await world.arrived();
      return texts.length >= expected.length ? texts : null;
    });
    assert.deepEqual(arrived.sort(), expected);
  },
};

/** Publishes a workflow, posts orders to it, and returns its ID and the execution that this starts. */
async function run(
  { n8n: { url, api }, credential }: World,
  options: Omit<OrdersOptions, 'credential'> & { credential?: string },
  orders: Order[],
): Promise<[workflowId: string, Execution]> {
  const workflowId = await api.createWorkflow(ordersWorkflow({ credential, ...options }));
  await api.publish(workflowId);
  // n8n publishes some time after its answer. Until then the address is unknown.
  await until(
    async () => {
      const started = await fetch(`${url}/webhook/${options.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ orders }),
      });
      return started.ok || null;
    },
    PUBLISHED_WITHIN_MS,
    250,
  );
  return [workflowId, await api.execution(workflowId, 1)];
}

/** The webhooks of Wirebird, once there are `count` of them. */
async function webhooksOf({ wirebird }: World, count: number): Promise<Webhook[]> {
  const headers = { authorization: `Bearer ${wirebird.apiKey}` };
  return until(
    async () => {
      const answer = await fetch(`${wirebird.baseUrl}/v1/webhooks`, { headers });
      const { data } = (await answer.json()) as { data: { webhooks: Webhook[] } };
      return data.webhooks.length === count ? data.webhooks : null;
    },
    PUBLISHED_WITHIN_MS,
    250,
  );
}
