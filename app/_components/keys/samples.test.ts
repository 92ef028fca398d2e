import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { exampleOf, type SampleParams, sample } from './samples.ts';

const request = (kind: MessageType) =>
  exampleOf({
    kind,
    to: '4915228817386',
    body: `It's "ready", for $5`,
    files: {
      image: 'https://files.example/photo.jpg',
      document: 'https://files.example/offer.pdf',
      audio: 'https://files.example/song.mp3',
    },
  });

const params = (kind: MessageType): SampleParams => ({
  base: 'https://send.example/v1',
  kind,
  request: request(kind),
});

test.each(MESSAGE_TYPES)('the curl command for %s survives the shell with its JSON whole', (kind) => {
  const command = sample('curl', params(kind)).replace(/^curl/, "printf '%s\\n'");
  const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' });
  const json = words.slice(words.indexOf('{'));
  expect(JSON.parse(json)).toEqual(request(kind));
  expect(words).toContain(`https://send.example/v1/messages/${kind}`);
});

test('only the curl command that is shown once with a new key holds the key', () => {
  const key = 'wsk_test_secret';
  expect(sample('curl', { ...params('text'), key })).toContain(key);
  for (const language of ['Node', 'Python', 'PHP'] as const) {
    expect(sample(language, { ...params('text'), key })).not.toContain(key);
  }
  expect(sample('curl', params('text'))).toContain('$WIREBIRD_KEY');
});

test('the Node code is JavaScript that posts the request', async () => {
  const sent: unknown[] = [];
  const run = new Function(
    'fetch',
    'process',
    `return (async () => { ${sample('Node', params('document'))} return { success, data, error }; })()`,
  );
  const answer = await run(
    async (url: string, init: { body: string }) => {
      sent.push(url, JSON.parse(init.body));
      return { json: async () => ({ success: true, data: { status: 'sent' } }) };
    },
    { env: { WIREBIRD_KEY: 'k' } },
  );
  expect(sent).toEqual(['https://send.example/v1/messages/document', request('document')]);
  expect(answer).toEqual({ success: true, data: { status: 'sent' }, error: undefined });
});
