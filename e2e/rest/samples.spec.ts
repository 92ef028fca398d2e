import { readFile } from 'node:fs/promises';
import { LANGUAGES, sample } from '#app/_features/keys/samples.ts';
import { canRun, type Ran, runSample } from '#app/_features/keys/testing-samples.ts';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { expect, test } from '../test.ts';

/** The code that customers see, run unchanged: only its key comes from the environment. */

const request = exampleRequest('text', PLACEHOLDER_FILES);
const { to, ...content } = request;

function idOf({ exitCode, stdout, stderr }: Ran): string {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [id = ''] = /msg_[\w-]{22,}/.exec(stdout) ?? [];
  return id;
}

// `app/_features/keys/samples.test.ts` warns about a language that this machine cannot run.
for (const language of LANGUAGES.filter((one) => canRun(one))) {
  test(`the ${language} sample sends a message and prints its id`, async ({ api, stack }) => {
    const code = sample(language, { base: `${stack.url}/v1`, kind: 'text', request });
    const before = await api.delivered();
    const id = idOf(await runSample(language, code, api.number.key));
    const message = await api.call(`/messages/${id}`);
    expect(message.body.data).toMatchObject({ id, to: `${to}@c.us`, type: 'text', error: null });
    expect(await api.delivered()).toBe(before + 1);
    expect(await api.lastDelivered()).toMatchObject({ type: 'text', ...content });
  });
}

test('the command of the reference sends a message and prints its id', async ({ api, page, stack }) => {
  await page.goto(`${stack.url}/docs`);
  const code = await page.getByRole('region', { name: 'Send a text' }).getByRole('tabpanel').innerText();
  const before = await api.delivered();
  // Without -s, curl reports its progress on standard error.
  const ran = await runSample('curl', code, api.number.key);
  const id = idOf({ ...ran, stderr: '' });
  expect((await api.call(`/messages/${id}`)).body.data).toMatchObject({ id });
  expect(await api.delivered()).toBe(before + 1);
});

test('the command of the README sends one message, even if it runs several times', async ({ api, stack }) => {
  const readme = await readFile('README.md', 'utf8');
  const [command = ''] = /^ {3}curl -X POST [^`]+/m.exec(readme) ?? [];
  const code = command.replace('http://localhost:3000', stack.url);
  const before = await api.delivered();
  const ids: string[] = [];
  for (let time = 0; time < 2; time++) {
    const ran = await runSample('curl', code, api.number.key);
    ids.push(idOf({ ...ran, stderr: '' }));
  }
  const [first, second] = ids;
  expect(first).toMatch(/^msg_/);
  expect(second).toBe(first);
  expect(await api.delivered()).toBe(before + 1);
});
