import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { numbersOf } from './numbers.ts';

const HERE = path.join(import.meta.dirname, '..');
const TO = '4915228817386';
const [number] = numbersOf('mcp');
if (!number) throw new Error('no number');
const { baseUrl } = inject('product');

/** An empty folder with the packed package installed, as a new user has it. */
const user = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-user-'));
let packed: { name: string; files: { path: string }[] };
beforeAll(() => {
  // Packing builds it.
  fs.rmSync(path.join(HERE, 'dist'), { recursive: true, force: true });
  const npm = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, encoding: 'utf8' });
  [packed] = JSON.parse(
    npm(['pack', '--json', '--foreground-scripts=false', '--pack-destination', user], HERE),
  );
  fs.writeFileSync(path.join(user, 'package.json'), '{"type":"module"}');
  const tarball = fs.readdirSync(user).find((name) => name.endsWith('.tgz'));
  npm(['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], user);
});
afterAll(() => fs.rmSync(user, { recursive: true }));

test('the package has the library with types, one program, and no dependencies', () => {
  const files = packed.files.map((file) => file.path).filter((file) => !/^dist\/generated\//.test(file));
  expect(files.sort()).toEqual(
    [
      ...['LICENSE', 'README.md', 'package.json', 'dist/cli.js', 'dist/cli.licenses.txt'],
      ...['errors', 'index', 'node', 'request', 'webhooks'].flatMap((name) => [
        `dist/${name}.d.ts`,
        `dist/${name}.js`,
      ]),
    ].sort(),
  );
  expect(fs.readdirSync(path.join(user, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    'wirebird',
  ]);
  const licenses = fs.readFileSync(path.join(user, 'node_modules/wirebird/dist/cli.licenses.txt'), 'utf8');
  expect(licenses).toContain('@modelcontextprotocol/sdk');
});

test('only Node’s entry imports a module of Node, so that edge workers can bundle the package', () => {
  const dist = path.join(user, 'node_modules/wirebird/dist');
  const files = fs.readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const modules = files.filter((file) => file.endsWith('.js') && file !== 'cli.js');
  const importing = modules.filter((file) =>
    /['"]node:/.test(fs.readFileSync(path.join(dist, file), 'utf8')),
  );
  expect(importing).toEqual(['node.js']);
});

test('the six lines of the README send a message', async () => {
  const readme = fs.readFileSync(path.join(HERE, 'README.md'), 'utf8');
  const [, code = ''] = /```ts\n([^`]+)```/.exec(readme) ?? [];
  expect(
    code
      .trim()
      .split('\n')
      .filter((line) => line !== ''),
  ).toHaveLength(6);
  fs.writeFileSync(path.join(user, 'send.mts'), code.replace('http://localhost:3000', baseUrl));
  const before = (await number.arrivals()).length;
  const printed = execFileSync(process.execPath, ['send.mts'], {
    cwd: user,
    encoding: 'utf8',
    // biome-ignore lint/style/noProcessEnv: what a customer's shell hands on
    env: { ...process.env, WIREBIRD_KEY: number.key },
  });
  expect(printed).toMatch(/^msg_\w+ sent\n$/);
  expect(await number.arrivals()).toHaveLength(before + 1);
});

/** An assistant's connection to `npx wirebird mcp`. */
async function assistant(...flags: string[]) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: path.join(user, 'node_modules/.bin/wirebird'),
    args: ['mcp', ...flags],
    // biome-ignore lint/style/noProcessEnv: where programs are found
    env: { PATH: process.env.PATH ?? '', WIREBIRD_API_KEY: number?.key ?? '', WIREBIRD_URL: baseUrl },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    call: async (name: string, args: Record<string, unknown>) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const [{ text } = { text: '' }] = content as { text: string }[];
      return { isError, result: JSON.parse(text) };
    },
  };
}

test('an assistant sees a tool for each kind, with the fields of the API', async () => {
  const { client } = await assistant();
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    ...['send_text', 'send_image', 'send_document', 'send_location', 'send_contact', 'send_audio'],
    ...['get_message', 'number_status'],
  ]);
  const [text] = tools;
  expect(text?.annotations).toMatchObject({ readOnlyHint: true });
  expect(text?.description).toContain('Dry run');
  expect(text?.inputSchema).toMatchObject({ required: ['to', 'body'] });
  expect(Object.keys(text?.inputSchema.properties ?? {}).sort()).toEqual([
    ...['body', 'idempotencyKey', 'reference', 'to'],
  ]);
});

test('without --send nothing is sent, whatever the assistant asks for', async () => {
  const before = (await number.arrivals()).length;
  const { call } = await assistant();
  for (const extra of [{}, { dryRun: false, 'X-Dry-Run': 'false', mode: 'async' }]) {
    const { isError, result } = await call('send_text', { to: TO, body: 'Hello', ...extra });
    expect([isError, result.status, result.id]).toEqual([false, 'valid', '']);
    expect(result.note).toContain('nothing was sent');
  }
  expect(await number.arrivals()).toHaveLength(before);
});

test('with --send a dry run that the assistant asks for is not sent', async () => {
  const before = (await number.arrivals()).length;
  const { call } = await assistant('--send');
  await expect(call('send_text', { to: TO, body: 'Hello', dryRun: true })).rejects.toThrow(
    'dryRun is an option',
  );
  expect(await number.arrivals()).toHaveLength(before);
});

test('with --send a message is sent once for each key, and its state can be read', async () => {
  const before = (await number.arrivals()).length;
  const { call } = await assistant('--send');
  const message = { to: TO, body: 'From an assistant', idempotencyKey: 'assistant-1' };
  const { result } = await call('send_text', message);
  expect(result).toEqual({
    id: expect.stringMatching(/^msg_/),
    to: `${TO}@c.us`,
    type: 'text',
    status: 'sent',
    replayed: false,
  });
  const again = { isError: false, result: { ...result, replayed: true } };
  expect(await call('send_text', message)).toEqual(again);
  expect(await number.arrivals()).toHaveLength(before + 1);
  expect((await call('get_message', { id: result.id })).result).toMatchObject({
    id: result.id,
    type: 'text',
  });
  expect((await call('number_status', {})).result).toMatchObject({
    instance: number.numberId,
    connected: true,
  });
});

test('a key counts also if the assistant gives it as a number', async () => {
  const before = (await number.arrivals()).length;
  const { call } = await assistant('--send');
  const message = { to: TO, body: 'With a number as its key', idempotencyKey: 1042 };
  const { result } = await call('send_text', message);
  expect((await call('send_text', message)).result).toMatchObject({ id: result.id, replayed: true });
  const unnamed = { to: TO, body: 'Without a key', idempotencyKey: null };
  expect((await call('send_text', unnamed)).result).toMatchObject({ status: 'sent', replayed: false });
  expect(await number.arrivals()).toHaveLength(before + 2);
});

test('an assistant learns what is wrong and whether something was sent', async () => {
  const { call, client } = await assistant('--send');
  expect(await call('send_text', { to: 'Ada', body: 'Hello' })).toEqual({
    isError: true,
    result: {
      code: 'invalid_parameters',
      error: expect.stringContaining('to'),
      mayBeSent: false,
      messageId: null,
      idempotencyKey: expect.any(String),
      retryAfterSeconds: null,
    },
  });
  await expect(client.callTool({ name: 'delete_everything', arguments: {} })).rejects.toThrow(
    'There is no tool',
  );
});

test('without a key or with an unknown flag the program says how to use it', () => {
  const bin = path.join(user, 'node_modules/.bin/wirebird');
  for (const args of [['mcp'], ['mcp', '--really'], []]) {
    const run = () => execFileSync(bin, args, { encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow('Usage: WIREBIRD_API_KEY=');
  }
});
