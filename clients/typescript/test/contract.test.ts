import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { checkerOf } from '../../../server/testing/openapi-document.ts';
import { errors, type WebhookEvent, WebhookSignatureError, WirebirdError } from '../src/index.ts';
import { numbersOf } from './numbers.ts';

const [first, second, third] = numbersOf('contract');
if (!first || !second || !third) throw new Error('no numbers');
const { baseUrl, control, receiverPorts } = inject('product');
const wb = first.client();
const document = fs.readFileSync(path.join(import.meta.dirname, '../../openapi.json'), 'utf8');
const { misfit } = checkerOf(JSON.parse(document));
const TO = '4915228817386';
const file = (name: string) => `${control}/files/${name}`;

const SENT = { id: expect.stringMatching(/^msg_/), to: `${TO}@c.us`, status: 'sent', replayed: false };

test('each kind of message is sent, and its result is typed', async () => {
  const { messages } = wb;
  expect(await messages.sendText({ to: TO, body: 'Hello' })).toEqual({ ...SENT, type: 'text' });
  expect(await messages.sendImage({ to: TO, url: file('photo.jpg'), caption: 'A photo' })).toEqual({
    ...SENT,
    type: 'image',
  });
  expect(await messages.sendDocument({ to: TO, url: file('offer.pdf'), filename: 'Offer.pdf' })).toEqual({
    ...SENT,
    type: 'document',
  });
  expect(await messages.sendLocation({ to: TO, latitude: 52.52, longitude: 13.4 })).toEqual({
    ...SENT,
    type: 'location',
  });
  expect(await messages.sendContact({ to: TO, contactName: 'Ada', contactPhone: '4915228817387' })).toEqual({
    ...SENT,
    type: 'contact',
  });
  expect(await messages.sendAudio({ to: TO, url: file('birdsong.mp3') })).toEqual({ ...SENT, type: 'audio' });
  expect(await first.arrivals()).toHaveLength(6);
});

test('a repeat with the same idempotency key returns the same message and says so', async () => {
  const before = (await second.arrivals()).length;
  const send = () =>
    second.client().messages.sendText({ to: TO, body: 'Once' }, { idempotencyKey: 'order-1' });
  const [one, two] = [await send(), await send()];
  expect(two).toEqual({ ...one, replayed: true });
  expect(await second.arrivals()).toHaveLength(before + 1);
});

test('without an idempotency key two calls are two messages', async () => {
  const before = (await second.arrivals()).length;
  const send = () => second.client().messages.sendText({ to: TO, body: 'Twice' });
  const [one, two] = await Promise.all([send(), send()]);
  expect(two.id).not.toBe(one.id);
  expect(await second.arrivals()).toHaveLength(before + 2);
});

test('an async message is queued with its reference, and wait returns its outcome', async () => {
  const reference = `Bestellung ${randomUUID()} ü`;
  const queued = await wb.messages.sendText({ to: TO, body: 'Later' }, { mode: 'async', reference });
  expect(queued.status).toBe('queued');
  const message = await wb.messages.wait(queued.id, { pollMs: 50, signal: AbortSignal.timeout(20_000) });
  expect(message).toMatchObject({ id: queued.id, reference, error: null, errorCode: null });
  expect(['sent', 'delivered', 'read']).toContain(message.status);
  const listed = await wb.messages.list({ reference }).next();
  expect(listed).toEqual({ done: false, value: await wb.messages.get(queued.id) });
});

test('a scheduled message waits, and can be cancelled once', async () => {
  const sendAt = new Date(Date.now() + 3_600_000);
  const { id, status } = await wb.messages.sendText({ to: TO, body: 'Tomorrow' }, { sendAt });
  expect(status).toBe('queued');
  expect(await wb.messages.cancel(id)).toMatchObject({
    id,
    status: 'cancelled',
    sendAt: sendAt.toISOString(),
  });
  const again = wb.messages.cancel(id);
  await expect(again).rejects.toBeInstanceOf(errors.not_cancellable);
  await expect(again).rejects.toMatchObject({ status: 409, messageId: id, messageStatus: 'cancelled' });
});

test('a dry run sends nothing', async () => {
  const before = (await first.arrivals()).length;
  const result = await wb.messages.sendText({ to: TO, body: 'Not sent' }, { dryRun: true });
  expect(result).toEqual({ id: '', to: `${TO}@c.us`, type: 'text', status: 'valid', replayed: false });
  expect(await first.arrivals()).toHaveLength(before);
});

test('the list goes through all pages', async () => {
  const client = third.client();
  const sent: string[] = [];
  for (let n = 0; n < 5; n += 1) sent.push((await client.messages.sendText({ to: TO, body: `${n}` })).id);
  const seen: string[] = [];
  for await (const { id } of client.messages.list({ limit: 2 })) seen.push(id);
  expect(seen).toEqual(sent.toReversed());
});

test('the number, its state and its recipients can be read', async () => {
  expect(await wb.status()).toMatchObject({ instance: first.numberId, status: 'CONNECTED', connected: true });
  expect(await wb.number.get()).toMatchObject({ instance: first.numberId, protected: expect.any(Boolean) });
  expect(await wb.recipients.check(TO)).toEqual([
    { to: TO, status: 'on_whatsapp', checkedAt: expect.any(String) },
  ]);
});

test('each refusal is the error of its code', async () => {
  const wrong = first.client({ apiKey: 'wsk_test_wrong' });
  await expect(wrong.status()).rejects.toBeInstanceOf(errors.unauthorized);
  await expect(wb.messages.get('msg_none')).rejects.toBeInstanceOf(errors.not_found);
  const invalid = wb.messages.sendText({ to: '+49 152', body: 'x' }, { idempotencyKey: 'mine' });
  await expect(invalid).rejects.toBeInstanceOf(errors.invalid_parameters);
  await expect(invalid).rejects.toMatchObject({
    code: 'invalid_parameters',
    status: 400,
    mayBeSent: false,
    idempotencyKey: 'mine',
    messageId: null,
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    message: expect.stringContaining('to'),
  });
  await wb.messages.sendText({ to: TO, body: 'One body' }, { idempotencyKey: 'used' });
  const reused = wb.messages.sendText({ to: TO, body: 'Another' }, { idempotencyKey: 'used' });
  await expect(reused).rejects.toBeInstanceOf(errors.idempotency_key_reused);
  await expect(reused).rejects.toMatchObject({ messageId: expect.stringMatching(/^msg_/), mayBeSent: true });
  await expect(reused).rejects.not.toBeInstanceOf(errors.invalid_parameters);
});

test('a failed send says whether the message may have been sent', async () => {
  await second.rule({ stage: 'wire', action: 'refuse' });
  const refused = second.client().messages.sendText({ to: TO, body: 'Refused' });
  await expect(refused).rejects.toBeInstanceOf(errors.send_failed);
  await expect(refused).rejects.toMatchObject({ status: 502, mayBeSent: false });
  await second.rule({ stage: 'exists', action: 'not-on-whatsapp' });
  const absent = second.client().messages.sendText({ to: '4915228811111', body: 'Nobody' });
  await expect(absent).rejects.toBeInstanceOf(errors.recipient_unknown);
});

test('an address that is not Wirebird is named, and not asked again', async () => {
  const wrong = first.client({ baseUrl: control }).status();
  await expect(wrong).rejects.toBeInstanceOf(errors.unexpected_answer);
  await expect(wrong).rejects.toThrow('The answer 404 does not come from Wirebird. Check baseUrl.');
  expect(await first.client({ baseUrl: `${baseUrl}/v1/` }).status()).toEqual(await wb.status());
});

const received: { headers: http.IncomingHttpHeaders; body: string }[] = [];
const receiver = http.createServer(async (request, response) => {
  received.push({ headers: request.headers, body: await text(request) });
  response.writeHead(204).end();
});
beforeAll(
  () => new Promise<void>((resolve) => receiver.listen(receiverPorts.typescript, '127.0.0.1', resolve)),
);
afterAll(() => receiver.close());

test('a webhook endpoint is created, verified, changed, tested, rotated, replayed and deleted', async () => {
  const { webhooks, messages } = first.client();
  const url = `http://127.0.0.1:${receiverPorts.typescript}/hook`;
  const { secret, ...endpoint } = await webhooks.create({ url, events: ['message.sent'] });
  const works = { disabledReason: null, failingSince: null };
  expect(await webhooks.list()).toEqual([{ ...endpoint, ...works }]);
  const since = new Date();
  const { id } = await messages.sendText({ to: TO, body: 'With an event' }, { reference: 'order-7' });
  const { headers, body } = await vi.waitFor(
    () => {
      const [event] = received;
      if (!event) throw new Error('no event yet');
      return event;
    },
    { timeout: 20_000 },
  );
  const event: WebhookEvent = await webhooks.verify(body, headers, secret);
  expect(misfit(['components', 'schemas', 'WebhookEvent'], event)).toBeNull();
  expect(event).toMatchObject({ type: 'message.sent', data: { id, reference: 'order-7', status: 'sent' } });
  await expect(webhooks.verify(`${body} `, headers, secret)).rejects.toBeInstanceOf(WebhookSignatureError);

  expect(await webhooks.update(endpoint.id, { active: false })).toEqual({
    ...endpoint,
    ...{ ...works, active: false, disabledReason: 'person' },
  });
  expect(await webhooks.update(endpoint.id, { active: true })).toEqual({ ...endpoint, ...works });
  const testId = await webhooks.test(endpoint.id);
  const tested = await vi.waitFor(
    () => {
      const found = received.find((one) => one.headers['webhook-id'] === testId);
      if (!found) throw new Error('no test event yet');
      return found;
    },
    { timeout: 20_000 },
  );
  const testEvent: WebhookEvent = await webhooks.verify(tested.body, tested.headers, secret);
  expect(misfit(['components', 'schemas', 'WebhookEvent'], testEvent)).toBeNull();
  expect(testEvent).toMatchObject({ type: 'webhook.test', data: { id: endpoint.id, sequence: 1 } });
  expect(await webhooks.replay(endpoint.id, since)).toBe(2);
  const rotated = await webhooks.rotate(endpoint.id);
  expect(rotated).toEqual({ ...endpoint, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.secret).not.toBe(secret);
  await webhooks.delete(endpoint.id);
  expect(await webhooks.list()).toEqual([]);
  await expect(webhooks.delete(endpoint.id)).rejects.toBeInstanceOf(WirebirdError);
});
