import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { NodeApiError } from 'n8n-workflow';
import {
  type Credentials,
  evaluate,
  newExecution,
  retryOf,
  runNode,
  TriggerInWorkflow,
  takesErrorOutput,
  WirebirdApi,
} from './n8n.mts';
import { type Product, startProduct, startProxy, until } from './product.mts';

const TO = '4915228817386';

/** What Wirebird posts, by the address that it posts to. */
const posted: { path: string; headers: Record<string, unknown>; body: Buffer }[] = [];
const receiver = createServer(async (request, response) => {
  posted.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) });
  response.end();
});
let product: Product;
let host: string;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  product = await startProduct({ numbers: 18, webhookHost: host });
});
after(async () => {
  await product?.[Symbol.asyncDispose]();
  receiver.closeAllConnections();
  receiver.close();
});

/** A number of its own for a test, and its credentials. */
function take(): { numberId: string; credentials: Credentials } {
  const { numberId, key } = product.takeNumber();
  return { numberId, credentials: { baseUrl: product.baseUrl, apiKey: key } };
}

const text = (body: string, more: object = {}) => ({ to: TO, body, ...more });

describe('sending', () => {
  test('each kind is accepted at once and arrives', async () => {
    const { numberId, credentials } = take();
    const file = `${product.control}/files`;
    const sent = await runNode(credentials, [
      text('Your bike is ready.'),
      { to: TO, kind: 'image', url: `${file}/photo.jpg`, caption: 'Finished' },
      { to: TO, kind: 'document', url: `${file}/offer.pdf`, filename: 'offer.pdf' },
      { to: TO, kind: 'location', latitude: 53.5503, longitude: '9.992', name: 'Town hall' },
      { to: TO, kind: 'contact', contactName: 'Workshop', contactPhone: '+49 151 12345678' },
      { to: TO, kind: 'audio', url: `${file}/birdsong.mp3` },
    ]);
    const kinds = ['text', 'image', 'document', 'location', 'contact', 'audio'];
    assert.deepEqual(
      sent.map(({ json, pairedItem }) => ({ ...json, id: null, pairedItem })),
      kinds.map((type, item) => ({
        id: null,
        to: `${TO}@c.us`,
        type,
        status: 'queued',
        replayed: false,
        pairedItem: { item },
      })),
    );
    assert.equal((await product.arrivals(numberId, 6)).length, 6);
  });

  test('with waiting, the answer is the outcome', async () => {
    const { numberId, credentials } = take();
    const [sent] = await runNode(credentials, [text('Now', { waitForOutcome: true })]);
    assert.equal(sent?.json.status, 'sent');
    assert.equal((await product.arrivals(numberId, 1)).length, 1);
  });

  test('a number may be written with +, spaces and dashes, and a group keeps its ID', async () => {
    const { credentials } = take();
    const check = { options: { dryRun: true } };
    const [person] = await runNode(credentials, [text('Hello', { to: '+49 1522 / 881-73 86', ...check })]);
    assert.equal(person?.json.to, `${TO}@c.us`);
    assert.equal(person?.json.status, 'valid');
    assert.equal(typeof person?.json.estimatedWaitSeconds, 'number');
    const group = '4915228817386-1600000000@g.us';
    const [toGroup] = await runNode(credentials, [text('Hello', { to: group, ...check })]);
    assert.equal(toGroup?.json.to, group);
  });

  test('a scheduled message is sent at the time of the workflow’s time zone, and can be cancelled', async () => {
    const { credentials } = take();
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const [sent] = await runNode(credentials, [
      text('Good morning', { options: { sendAt: `${day}T08:00:00`, reference: 'order-7' } }),
    ]);
    const messageId = sent?.json.id;
    const [message] = await runNode(credentials, [{ operation: 'get', messageId }]);
    const berlin = new Date(String(message?.json.sendAt)).toLocaleString('sv-SE', {
      timeZone: 'Europe/Berlin',
    });
    assert.equal(berlin, `${day} 08:00:00`);
    assert.equal(message?.json.reference, 'order-7');
    const [cancelled] = await runNode(credentials, [{ operation: 'cancel', messageId }]);
    assert.equal(cancelled?.json.status, 'cancelled');
    await assert.rejects(runNode(credentials, [{ operation: 'cancel', messageId }]), {
      name: 'NodeApiError',
      message: /Only a message that still waits can be cancelled/,
      httpCode: '409',
    });
  });
});

describe('a retry', () => {
  const items = ['one', 'two', 'three'].map((body) => text(body));
  const ids = (output: { json: { id?: unknown } }[]) => output.map(({ json }) => json.id);

  test('of the node in the same execution sends nothing again', async () => {
    const { numberId, credentials } = take();
    const execution = newExecution();
    const first = await runNode(credentials, items, { execution });
    const again = await runNode(credentials, items, { execution });
    assert.deepEqual(ids(again), ids(first));
    assert.deepEqual(
      again.map(({ json }) => json.replayed),
      [true, true, true],
    );
    await product.arrivals(numberId, 3);
    assert.deepEqual(ids(await runNode(credentials, items, { execution })), ids(first));
    const [last] = await runNode(credentials, [text('last', { waitForOutcome: true })]);
    assert.equal(last?.json.status, 'sent');
    assert.deepEqual(
      (await product.arrivals(numberId, 4)).map(({ body }) => body),
      ['one', 'two', 'three', 'last'],
    );
  });

  test('of the execution, which has another ID, sends only what was not sent', async () => {
    const { numberId, credentials } = take();
    const execution = newExecution();
    const broken = [text('one'), text('two', { to: '123' }), text('three')];
    await assert.rejects(runNode(credentials, broken, { execution }), (error: NodeApiError) => {
      assert.match(error.message, /^to must be/);
      assert.equal(error.context.itemIndex, 1);
      return true;
    });
    await product.arrivals(numberId, 1);
    await runNode(credentials, items, { execution: retryOf(execution) });
    await runNode(credentials, items, { execution: retryOf(execution) });
    await runNode(credentials, [text('last', { waitForOutcome: true })]);
    const arrived = (await product.arrivals(numberId, 4)).map(({ body }) => body);
    assert.deepEqual(arrived, ['one', 'two', 'three', 'last']);
  });

  test('by the node sends once when the answer was lost', async () => {
    const { numberId, credentials } = take();
    let answersToLose = 2;
    await using proxy = await startProxy(product.baseUrl, () => answersToLose-- > 0);
    const [sent] = await runNode({ ...credentials, baseUrl: proxy.url }, [text('once')]);
    // By the repeat, the message may have been sent.
    assert.match(String(sent?.json.status), /^(queued|sent)$/);
    await runNode(credentials, [text('last', { waitForOutcome: true })]);
    assert.deepEqual(
      (await product.arrivals(numberId, 2)).map(({ body }) => body),
      ['once', 'last'],
    );
  });

  test('of another execution, node or run of a loop is a new message', async () => {
    const { numberId, credentials } = take();
    const same = [text('same')];
    const execution = newExecution();
    await runNode(credentials, same, { execution });
    await runNode(credentials, same, { execution, runIndex: 1 });
    await runNode(credentials, same, { execution, nodeId: 'node-2' });
    await runNode(credentials, same);
    const unsaved = { id: undefined, customData: new Map() };
    await runNode(credentials, same, { execution: unsaved });
    await runNode(credentials, same, { execution: unsaved });
    assert.equal((await product.arrivals(numberId, 6)).length, 6);
  });

  test('in any execution sends once with a key of one’s own', async () => {
    const { numberId, credentials } = take();
    const order = [text('Order 1042 is ready', { options: { idempotencyKey: 1042 } })];
    const first = await runNode(credentials, order);
    assert.deepEqual(ids(await runNode(credentials, order)), ids(first));
    await assert.rejects(runNode(credentials, [text('Other', { options: { idempotencyKey: '1042' } })]), {
      message: new RegExp(
        `Its Idempotency-Key was already used for an earlier, different message .${first[0]?.json.id}`,
      ),
    });
    await runNode(credentials, [text('last', { waitForOutcome: true })]);
    assert.equal((await product.arrivals(numberId, 2)).length, 2);
  });
});

describe('an error', () => {
  test('has the sentence, the code and the message ID', async () => {
    const { numberId, credentials } = take();
    await product.refuseNext(numberId);
    const error = await runNode(credentials, [text('refused', { waitForOutcome: true })]).then(
      () => assert.fail('it was sent'),
      (thrown: NodeApiError) => thrown,
    );
    assert.equal(error.name, 'NodeApiError');
    assert.equal(error.httpCode, '502');
    assert.match(error.message, /WhatsApp did not accept this message, and nothing was sent/);
    assert.match(error.description ?? '', /^Error code: send_failed\. Message ID: msg_\w+\. Request ID: /);
  });

  test('is an item of its own when the node continues after errors', async () => {
    const { numberId, credentials } = take();
    const output = await runNode(credentials, [text('one'), text('', {}), text('three')], {
      continueOnFail: true,
    });
    assert.deepEqual(
      output.map(({ pairedItem }) => pairedItem),
      [{ item: 0 }, { item: 1 }, { item: 2 }],
    );
    const [, failed] = output;
    assert.match(String(failed?.json.error), /^body /);
    const details = Object(failed?.json.details);
    assert.deepEqual(Object.keys(details).sort(), ['errorCode', 'httpStatus', 'requestId', 'sendOutcome']);
    assert.equal(details.sendOutcome, 'not_sent');
    assert.equal(details.errorCode, 'invalid_parameters');
    assert.equal(details.httpStatus, 400);
    assert.deepEqual(output.map(takesErrorOutput), [false, true, false]);
    assert.equal((await product.arrivals(numberId, 2)).length, 2);
  });

  test('says that the key is wrong, or that nothing answers', async () => {
    const wrong = { baseUrl: product.baseUrl, apiKey: 'wsk_test_wrong' };
    await assert.rejects(runNode(wrong, [text('x')]), {
      message: /The API key is not valid/,
      httpCode: '401',
    });
    const closed = await startProxy(product.baseUrl, () => false);
    await closed[Symbol.asyncDispose]();
    const nowhere = { baseUrl: closed.url, apiKey: 'wsk_test_wrong' };
    await assert.rejects(runNode(nowhere, [text('x')]), {
      message: `Wirebird did not answer at ${closed.url}.`,
      description: /nothing is sent twice/,
    });
  });
});

test('an answer that is not Wirebird’s is an error, whatever its status', async () => {
  const answers: [status: number, type: string, body: string][] = [
    [200, 'application/json', '{"ok":true}'],
    [200, 'application/json', '{"success":true}'],
    [200, 'text/html', '<p>Sign in</p>'],
    [200, 'application/json', ''],
    [301, 'text/html', ''],
  ];
  const stranger = createServer((request, response) => {
    const [status, type, body] = answers[Number(request.url?.split('/')[1])] ?? [500, 'text/plain', ''];
    response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  for (const [at, [status]] of answers.entries())
    await assert.rejects(
      runNode({ baseUrl: `http://127.0.0.1:${port}/${at}`, apiKey: 'wsk_test_x' }, [text('x')]),
      {
        message: new RegExp(`^Wirebird could not answer: status ${status}\\. Check the Base URL`),
      },
    );
  stranger.closeAllConnections();
  stranger.close();
});

test('messages are listed, filtered and got over several pages', async () => {
  const { numberId, credentials } = take();
  const bodies = Array.from({ length: 102 }, (_, n) => `number ${n}`);
  for (let n = 0; n < bodies.length; n += 51) {
    await runNode(
      credentials,
      bodies.slice(n, n + 51).map((body) => text(body, { options: { reference: 'many' } })),
    );
    await product.arrivals(numberId, Math.min(bodies.length, n + 51));
  }
  await runNode(credentials, [text('other', { waitForOutcome: true })]);
  const list = (more: object) => runNode(credentials, [{ operation: 'getAll', ...more }]);
  assert.equal((await list({ returnAll: true, filters: { reference: 'many' } })).length, 102);
  assert.equal((await list({ returnAll: true })).length, 103);
  assert.equal((await list({ limit: 101 })).length, 101);
  assert.equal((await list({ filters: { status: 'failed', to: '+49 15228817386' } })).length, 0);
  assert.equal((await list({ filters: { until: '2020-01-01T00:00:00' } })).length, 0);
});

test('recipients are checked, and the status of the number is shown', async () => {
  const { credentials } = take();
  await runNode(credentials, [text('known', { waitForOutcome: true })]);
  const checked = await runNode(credentials, [
    { resource: 'recipient', operation: 'check', phones: '+49 1522 8817386' },
  ]);
  assert.deepEqual(
    checked.map(({ json }) => [json.to, json.status]),
    [[TO, 'on_whatsapp']],
  );
  const [status] = await runNode({ ...credentials, baseUrl: `${product.baseUrl}/v1/` }, [
    { resource: 'number', operation: 'getStatus' },
  ]);
  assert.equal(status?.json.connected, true);
});

describe('the trigger', () => {
  const list = async ({ baseUrl, apiKey }: Credentials) => {
    const answer = await fetch(`${baseUrl}/v1/webhooks`, { headers: { authorization: `Bearer ${apiKey}` } });
    const { data } = (await answer.json()) as {
      data: { webhooks: { id: string; url: string; events: string[] }[] };
    };
    return data.webhooks;
  };
  const trigger = (credentials: Credentials, path: string, events = ['message.sent']) =>
    new TriggerInWorkflow(credentials, `http://${host}${path}`, events);

  test('starts the workflow for a signed event, and refuses every other request', async () => {
    const { credentials } = take();
    const active = trigger(credentials, '/signed');
    await active.activate();
    const [sent] = await runNode(credentials, [text('Hello', { options: { reference: 'order-9' } })]);
    const { headers, body } = await until(async () => posted.find(({ path }) => path === '/signed') ?? null);
    const started = await active.receive(headers, body);
    assert.ok('items' in started);
    const event = started.items[0]?.json as { eventId: string; type: string; data: Record<string, unknown> };
    assert.equal(event.eventId, headers['webhook-id']);
    assert.equal(event.type, 'message.sent');
    assert.deepEqual(
      { id: sent?.json.id, reference: 'order-9' },
      { id: event.data.id, reference: event.data.reference },
    );

    const refused = { status: 401 };
    assert.deepEqual(await active.receive(headers, Buffer.concat([body, Buffer.from(' ')])), refused);
    assert.deepEqual(await active.receive({ ...headers, 'webhook-id': 'evt_other' }, body), refused);
    assert.deepEqual(await active.receive({}, body), refused);
    assert.deepEqual(await trigger(credentials, '/other').receive(headers, body), refused);
    const { secret = '' } =
      (active.staticData.endpoints as Record<string, { secret: string }>)[active.url] ?? {};
    const signedAt = (seconds: number) => {
      const id = headers['webhook-id'];
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
      return {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1a,x v1,${signature}`,
      };
    };
    const now = Math.floor(Date.now() / 1000);
    assert.ok('items' in (await active.receive(signedAt(now - 240), body)));
    assert.deepEqual(await active.receive(signedAt(now - 360), body), refused);
    assert.deepEqual(await active.receive(signedAt(now + 360), body), refused);
    await active.deactivate();
  });

  test('has one endpoint while it is active, and none afterwards', async () => {
    const { credentials } = take();
    const production = trigger(credentials, '/production');
    await production.activate();
    await production.activate();
    const [endpoint] = await list(credentials);
    assert.deepEqual((await list(credentials)).length, 1);
    assert.deepEqual(endpoint?.events, ['message.sent']);

    const testing = trigger(credentials, '/testing');
    testing.staticData = structuredClone(production.staticData);
    await testing.activate();
    assert.equal((await list(credentials)).length, 2);
    await testing.deactivate();
    assert.deepEqual(await list(credentials), [endpoint]);
    assert.equal(await production.exists, true);

    production.events = ['message.read', 'message.failed'];
    await production.activate();
    const [changed, ...more] = await list(credentials);
    assert.deepEqual(more, []);
    assert.deepEqual(changed?.events.toSorted(), ['message.failed', 'message.read']);

    production.staticData = {};
    await production.activate();
    assert.equal((await list(credentials)).length, 1);

    await production.deactivate();
    await production.deactivate();
    assert.deepEqual(await list(credentials), []);
  });

  test('is deactivated although its endpoint was deleted in the dashboard', async () => {
    const { credentials } = take();
    const active = trigger(credentials, '/deleted');
    await active.activate();
    const [endpoint] = await list(credentials);
    await fetch(`${credentials.baseUrl}/v1/webhooks/${endpoint?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${credentials.apiKey}` },
    });
    assert.equal(await active.deactivate(), true);
    assert.deepEqual(active.staticData.endpoints, {});
  });
});

test('the test of a credential asks for the number’s status, with or without /v1', async () => {
  const { credentials } = take();
  for (const more of ['', '/', '/v1', '/v1/']) {
    const { baseURL = '', url } = new WirebirdApi().test.request;
    const address = evaluate(baseURL, { ...credentials, baseUrl: credentials.baseUrl + more }) + url;
    assert.equal(address, `${product.baseUrl}/v1/status`);
  }
});
