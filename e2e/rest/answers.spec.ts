import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { KINDS } from '#server/core/kinds/index.ts';
import { MEDIA_RULES, MESSAGE_TYPES, type MediaKind } from '#server/core/message.ts';
import { connectSandbox } from '#server/sandbox/client.ts';
import { readControlFile } from '#server/sandbox/control-file.ts';
import { expect, test } from '../test.ts';

/** The answers that need a worker and a phone, for every endpoint. */

const TO = '4915228817386';

test.describe('every kind', () => {
  for (const kind of MESSAGE_TYPES) {
    const path = `/messages/${kind}`;

    test(`${kind}: the documented example request gets the example answer, with every way to send the key`, async ({
      api,
      stack,
    }) => {
      const operation = api.document.paths?.[path]?.post;
      const body = operation?.requestBody as { content: Record<string, { example: object }> };
      const example = body.content['application/json']?.example ?? {};
      const success = operation?.responses?.['200'].content['application/json'].example;
      const { key } = api.number;
      const ways: { headers: Record<string, string>; body: object }[] = [
        { headers: { authorization: `Bearer ${key}` }, body: example },
        { headers: { 'x-api-key': key }, body: example },
        { headers: {}, body: { ...example, token: key } },
      ];
      for (const way of ways) {
        const response = await fetch(`${stack.url}/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...way.headers },
          body: JSON.stringify(way.body),
        });
        expect(response.status).toBe(200);
        const id = response.headers.get('x-message-id');
        expect(await response.json()).toEqual({ ...success, data: { ...success.data, id } });
      }
    });

    test(`${kind}: each outcome gets its own answer`, async ({ api, stack }) => {
      const example = exampleOf(api.document, path);
      const rule = (stage: string, action: string) =>
        stack.cli(
          ...(['sandbox', 'rule', '--instance', api.number.instance, '--stage', stage] as const),
          ...(['--action', action, '--times', '1'] as const),
        );

      await rule('exists', 'not-on-whatsapp');
      const stranger = await api.call(path, { body: { ...example, to: strangerFor(kind) } });
      expect(stranger.status).toBe(400);
      expect(stranger.headers['x-send-outcome']).toBe('not_sent');

      await rule('wire', 'refuse');
      const refused = await api.call(path, { body: example });
      expect(refused.status).toBe(502);
      expect(refused.headers['x-send-outcome']).toBe('not_sent');

      const before = await api.delivered();
      const answer = await api.call(path, { body: example });
      expect(answer.status).toBe(200);
      expect(await api.delivered()).toBe(before + 1);
    });
  }
});

/** A phone number that was never looked up. */
function strangerFor(kind: (typeof MESSAGE_TYPES)[number]): string {
  return `49151000000${MESSAGE_TYPES.indexOf(kind)}`;
}

function exampleOf(document: { paths?: Record<string, unknown> }, path: string): object {
  const item = document.paths?.[path] as {
    post: { requestBody: { content: Record<string, { example: object }> } };
  };
  return item.post.requestBody.content['application/json']?.example ?? {};
}

test('a group receives messages, and a group that the number has not joined is 400', async ({
  api,
  stack,
}) => {
  const { id } = await connectSandbox(() => readControlFile(stack.dataDir)).addGroup({
    phone: api.number.phoneNumber,
    name: 'Workshop',
  });
  const sent = await api.send('text', { to: id, body: 'Good morning, all' });
  expect(sent.status).toBe(200);
  expect(sent.body.data).toMatchObject({ to: id, status: 'sent' });
  expect(await api.lastDelivered()).toEqual({ to: id, type: 'text', body: 'Good morning, all' });
  const foreign = await api.send('text', { to: '120363999999999999@g.us', body: 'Hello' });
  expect(foreign.status).toBe(400);
  expect(foreign.headers['x-send-outcome']).toBe('not_sent');
});

for (const kind of Object.keys(MEDIA_RULES) as MediaKind[]) {
  test(`${kind}: an unusable file is 400 with a sentence, and Retry-After says whether a repeat can help`, async ({
    api,
    media,
  }) => {
    const before = await api.delivered();
    const extra = 'filename' in KINDS[kind].fields ? { filename: 'a.pdf' } : {};
    for (const [url, retryAfter] of [
      [media.other('missing'), undefined],
      [media.other('empty'), undefined],
      ...(kind === 'document' ? [] : [[media.other('wrong'), undefined] as const]),
      [media.other('busy'), '60'],
      [media.other('cut'), '60'],
      ['http://nothing.invalid/a.jpg', '60'],
    ] as const) {
      const answer = await api.send(kind, { to: TO, url, ...extra });
      expect([url, answer.status, answer.headers['retry-after']]).toEqual([url, 400, retryAfter]);
      expect(answer.body.error).toMatch(retryAfter ? /[Rr]etry the request later\.$/ : /^The .*\.$/);
      expect(answer.headers['x-send-outcome']).toBe('not_sent');
      expect(answer.headers['x-message-id']).toMatch(/^msg_/);
    }
    // An internal address is refused before anything is accepted.
    for (const url of [
      'http://127.0.0.1/a.jpg',
      'http://[::1]/a.jpg',
      'http://169.254.169.254/latest/meta-data',
    ]) {
      const answer = await api.send(kind, { to: TO, url, ...extra });
      expect([url, answer.status]).toEqual([url, 400]);
      expect(answer.headers['x-message-id']).toBeUndefined();
    }
    expect(await api.delivered()).toBe(before);
  });
}

test('an endless file is 413', async ({ api, media }) => {
  const answer = await api.send('document', { to: TO, url: media.other('endless'), filename: 'a' });
  expect(answer.status).toBe(413);
});

test('an async message is accepted at once, and its outcome can be requested', async ({ api }) => {
  const accepted = await api.send('text', { to: TO, body: 'Later' }, { prefer: 'respond-async' });
  expect(accepted.status).toBe(202);
  const id = String(accepted.body.data?.id);
  await expect
    .poll(async () => (await api.call(`/messages/${id}`)).body.data?.status)
    .toMatch(/^(sent|delivered|read)$/);
});

test('a missing acknowledgement is 502 unknown, the message is never resent, and the number says so', async ({
  api,
  stack,
}) => {
  const { instance } = api.number;
  const before = await api.delivered();
  await stack.cli(
    ...(['sandbox', 'rule', '--instance', instance, '--stage', 'wire'] as const),
    ...(['--action', 'hang', '--times', '1'] as const),
  );
  const answer = await api.send('text', { to: TO, body: 'Did this leave?' });
  expect(answer.status).toBe(502);
  expect(answer.headers['x-send-outcome']).toBe('unknown');
  expect(answer.body.error).toContain('may have arrived');
  await expect
    .poll(async () => (await api.call('/status')).body.data?.status, { timeout: 60_000 })
    .toBe('CONNECTED');
  expect((await api.delivered()) - before).toBeLessThanOrEqual(1);
});

test('an unlinked phone is 409, and linking it again restores the number', async ({ api, stack }) => {
  const { instance } = api.number;
  await stack.cli('sandbox', 'phone', '--instance', instance, '--do', 'unlink');
  await expect
    .poll(async () => (await api.call('/status')).body.data?.status, { timeout: 30_000 })
    .toBe('LOGGED_OUT');
  const status = await api.call('/status');
  expect(status.status).toBe(200);
  expect(status.body.data).toMatchObject({ instance, phoneNumber: api.number.phoneNumber, connected: false });
  for (const kind of MESSAGE_TYPES) {
    const answer = await api.call(`/messages/${kind}`, {
      body: exampleOf(api.document, `/messages/${kind}`),
    });
    expect(answer.status).toBe(409);
    expect(answer.headers['x-number-status']).toBe('LOGGED_OUT');
    expect(answer.headers['retry-after']).toBeUndefined();
  }
  await stack.cli('number', 'link', '--instance', instance);
  expect((await api.send('text', { to: TO, body: 'Back again' })).status).toBe(200);
});

test('one id connects the logs from the request to the page', async ({ api, stack }) => {
  const answer = await api.send('text', { to: TO, body: 'Followed' });
  const [requestId, messageId] = [answer.headers['x-request-id'], answer.headers['x-message-id']];
  const logDir = path.join(stack.dataDir, 'logs');
  const lines = async () => {
    const found: { file: string; msg: string; messageId?: string }[] = [];
    for (const file of await readdir(logDir)) {
      const text = await readFile(path.join(logDir, file), 'utf8');
      for (const line of text.split('\n').filter((line) => line.includes(`"requestId":"${requestId}"`)))
        found.push({ file, ...JSON.parse(line) });
    }
    return found;
  };
  const expected = ['dispatching to the page', 'message accepted', 'message dispatched'];
  await expect.poll(async () => (await lines()).map(({ msg }) => msg).toSorted()).toEqual(expected);
  for (const { file, msg, messageId: about } of await lines()) {
    expect(file).toContain(msg === 'message accepted' ? 'web' : 'worker');
    expect(about).toBe(messageId);
  }
});

test('a revoked key is 401 from the next request', async ({ api, stack }) => {
  const { key, id } = await stack.cli<{ key: string; id: string }>(
    ...(['key', 'create', '--instance', api.number.instance] as const),
  );
  const headers = { 'x-api-key': key };
  expect((await api.call('/status', { headers })).status).toBe(200);
  await stack.cli('key', 'revoke', '--id', id);
  expect((await api.call('/status', { headers })).status).toBe(401);
  expect((await api.send('text', { to: TO, body: 'x' }, headers)).status).toBe(401);
});
