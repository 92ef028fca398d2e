import { createHash } from 'node:crypto';
import fs from 'node:fs';
import https from 'node:https';
import path from 'node:path';
import { fileTypeFromBuffer } from 'file-type';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { MEDIA_RULES } from '#server/core/message.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { readControlFile } from '#server/sandbox/control-file.ts';
import { ACTIONS, type Action, STAGES, type Stage } from '#server/sandbox/rule.ts';
import { parseSettings } from '#server/settings.ts';
import { temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import { type Sandbox, startSandbox } from './start-sandbox.ts';

const PHONE = '491700000001';
let sandbox: Sandbox & AsyncDisposable;
beforeAll(async () => {
  sandbox = await temporarySandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const refusal = async (action: Promise<unknown>): Promise<{ code: string; message: string }> => {
  const error = await action.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('was not refused in words');
  return { code: error.code, message: error.message };
};

describe('the control client without a sandbox', () => {
  test('reports that none runs', async () => {
    const directory = temporaryDirectory();
    expect(await refusal(sandboxClient(directory).phones())).toEqual({
      code: 'unavailable',
      message:
        'The sandbox is not running. Run "npm start", or "npm run start:sandbox" with the same SANDBOX_DIR if web and worker are separate processes. If it is just starting, wait a moment.',
    });
    fs.rmSync(directory, { recursive: true });
  });

  test('reports that the address of a killed sandbox does not answer', async () => {
    const directory = temporaryDirectory();
    const { controlFile, stop } = await startSandbox({ dataDir: directory });
    await stop();
    fs.writeFileSync(path.join(directory, 'sandbox', 'control.json'), JSON.stringify(controlFile));
    expect(await refusal(sandboxClient(directory).phones())).toEqual({
      code: 'unavailable',
      message:
        'The sandbox does not respond. If Wirebird is running, it restarts the sandbox within seconds.',
    });
    fs.rmSync(directory, { recursive: true });
  });
});

describe('the simulated site', () => {
  const post = (path: string, authorization?: string) =>
    new Promise<number>((resolve, reject) => {
      const request = https.request(
        `https://127.0.0.1:${sandbox.controlFile.httpsPort}${path}`,
        {
          method: 'POST',
          rejectUnauthorized: false,
          headers: authorization === undefined ? {} : { authorization },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      request.once('error', reject).end('a file of nobody');
    });

  test('accepts files from linked devices only', async () => {
    const { controlFile } = sandbox;
    for (const authorization of [
      undefined,
      '',
      'Bearer ',
      'Bearer a.b',
      `Bearer ${controlFile.token}`,
      'Bearer x.undefined',
    ])
      expect(await post('/mms/image', authorization), String(authorization)).toBe(401);
    const sha256 = createHash('sha256').update('a file of nobody').digest('hex');
    const kept = await fetch(`${controlFile.url}/media/${sha256}`, {
      headers: { authorization: `Bearer ${controlFile.token}` },
    });
    expect(kept.status).toBe(400);
  });

  test('remembers a bounded number of missing modules', async () => {
    await post(`/sandbox/missing?module=${'x'.repeat(5_000)}`);
    for (let i = 0; i < 300; i++) await post(`/sandbox/missing?module=WAWebNothing${i}`);
    const { missingModules } = await sandbox.control.diagnostics();
    expect(missingModules).toHaveLength(200);
    expect(missingModules).not.toContain('x'.repeat(5_000));
  });
});

describe('the control API', () => {
  test('accepts only the token of its control file', async () => {
    for (const authorization of ['', 'Bearer ', `Bearer ${'x'.repeat(43)}`]) {
      const answer = await fetch(`${sandbox.controlFile.url}/control/phones`, {
        method: 'POST',
        headers: { authorization },
        body: '{}',
      });
      expect(answer.status).toBe(401);
    }
  });

  test('reports its health without a token', async () => {
    const answer = await fetch(`${sandbox.controlFile.url}/health`);
    expect(await answer.json()).toEqual({ status: 'ok', pid: process.pid });
  });

  test('names the field of an invalid input', async () => {
    expect(await refusal(sandbox.control.inbox({ phone: '+49 170' }))).toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringMatching(/^phone: .+\.$/),
    });
  });

  test('has no phone that was never used', async () => {
    expect(await refusal(sandbox.control.phone({ phone: '491799999999' }))).toEqual({
      code: 'not_found',
      message: 'The sandbox has no phone 491799999999 yet. It is created when it first scans a QR.',
    });
  });

  test('refuses actions that need a page, with a reason, while none is connected', async () => {
    await sandbox.control.groups({ phone: PHONE });
    for (const action of ['replaced', 'reload', 'drop'] as const) {
      expect(await refusal(sandbox.control[action]({ phone: PHONE }))).toEqual({
        code: 'not_connected',
        message: `No page of phone ${PHONE} is connected. Link it or bring it online first.`,
      });
    }
    expect(await refusal(sandbox.control.unlink({ phone: PHONE }))).toEqual({
      code: 'not_connected',
      message: `Phone ${PHONE} has no linked device to remove.`,
    });
  });

  test('refuses a QR that no page shows and a code that no page waits for', async () => {
    expect(await refusal(sandbox.control.scan({ phone: PHONE, qr: '2@x,a,b,c,1' }))).toMatchObject({
      code: 'not_found',
      message: 'No page shows this QR: it has expired or was used. Scan the newest one.',
    });
    expect((await refusal(sandbox.control.enterCode({ phone: PHONE, code: 'ABCDEFGH' }))).code).toBe(
      'not_found',
    );
  });
});

describe('rules', () => {
  const worksAt: Record<Action, readonly Stage[]> = {
    throw: STAGES,
    hang: STAGES,
    late: STAGES,
    reload: STAGES,
    busy: STAGES,
    refuse: ['wire'],
    encrypt: ['wire'],
    blocked: ['job'],
    fail: ['upload'],
    cancel: ['upload'],
    rekey: ['add'],
    ratelimit: ['exists', 'groups'],
    'not-on-whatsapp': ['exists'],
    hidden: ['exists'],
  };
  const pairs = STAGES.flatMap((stage) =>
    ACTIONS.map((action) => ({ stage, action, ok: worksAt[action].includes(stage) })),
  );

  test.each(pairs)('$action at $stage: accepted $ok', async ({ stage, action, ok }) => {
    const phone = '491700000003';
    const adding = sandbox.control.addRule({ phone, rule: { stage, action } });
    if (ok) {
      expect(await adding).toMatchObject({ stage, action, times: 1, left: 1 });
      expect(await sandbox.control.clearRules({ phone })).toEqual({ cleared: 1 });
    } else {
      expect(await refusal(adding)).toMatchObject({
        code: 'invalid_parameters',
        message: expect.stringContaining(`action ${action} works at stage `),
      });
    }
  });

  test.each([
    [{ times: 0 }, 'rule.times: must be a whole number from 1 to 10000.'],
    [{ ms: 1e9 }, 'rule.ms: must be a whole number of milliseconds, at most 86400000 (a day).'],
    [{ code: 42 }, 'rule.code: must be a whole number from 100 to 599.'],
  ])('with the value %j is refused with what is allowed', async (wrong, message) => {
    const rule = { stage: 'wire', action: 'refuse', ...wrong } as const;
    expect(await refusal(sandbox.control.addRule({ phone: PHONE, rule }))).toMatchObject({ message });
  });

  test('cannot be for one recipient at a stage without a known recipient', async () => {
    const rule = { stage: 'upload', action: 'throw', to: '491700000002' } as const;
    expect(await refusal(sandbox.control.addRule({ phone: PHONE, rule }))).toMatchObject({
      code: 'invalid_parameters',
      message: 'rule.to: at stage upload the recipient is not known yet: leave out "to".',
    });
  });
});

describe('groups', () => {
  test('are two at the start, with ids that are stable for a phone and differ between phones', async () => {
    const [mine, others] = await Promise.all(
      [PHONE, '491700000009'].map((phone) => sandbox.control.groups({ phone })),
    );
    expect(mine?.map(({ name }) => name)).toEqual(['Customers', 'Team']);
    expect(mine?.every(({ id }) => /^\d{18}@g\.us$/.test(id))).toBe(true);
    expect(await sandbox.control.groups({ phone: PHONE })).toEqual(mine);
    expect(others?.map(({ id }) => id)).not.toEqual(mine?.map(({ id }) => id));
  });

  test('can be added once per id', async () => {
    const group = {
      phone: PHONE,
      name: 'Friends',
      id: '120363000000000001@g.us',
      participants: ['491700000002'],
    };
    expect(await sandbox.control.addGroup(group)).toEqual({
      id: group.id,
      name: 'Friends',
      participants: [PHONE, '491700000002'],
    });
    expect((await refusal(sandbox.control.addGroup(group))).code).toBe('already_exists');
  });
});

test('numbers can be removed from WhatsApp and put back', async () => {
  const numbers = ['491709999999'];
  expect(await sandbox.control.addUnregistered({ numbers })).toEqual(numbers);
  expect(await sandbox.control.unregistered()).toEqual(numbers);
  expect(await sandbox.control.removeUnregistered({ numbers })).toEqual([]);
});

test('a configuration changes only the given fields', async () => {
  const before = await sandbox.control.config();
  expect(await sandbox.control.configure({ serverAckMs: 7 })).toEqual({ ...before, serverAckMs: 7 });
  expect((await refusal(sandbox.control.configure({ nonsense: 1 } as never))).code).toBe(
    'invalid_parameters',
  );
});

describe('the samples', () => {
  const types = {
    ...Object.fromEntries(Object.entries(MEDIA_RULES).map(([kind, { sample }]) => [kind, sample.mimeType])),
    imagePng: 'image/png',
    audioOgg: 'audio/ogg',
  };

  test.each(Object.entries(types))(
    '%s is a true %s, below 60 KB, served with type and length',
    async (kind, type) => {
      const { samples } = sandbox.controlFile;
      const url = samples[kind] ?? '';
      expect(new URL(url).host).toBe(samples.host);
      const answer = await fetch(url);
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(answer.headers.get('content-type')).toBe(type);
      expect(Number(answer.headers.get('content-length'))).toBe(bytes.length);
      expect(bytes.length).toBeLessThan(60_000);
      expect((await fileTypeFromBuffer(bytes))?.mime.replace(/;.*/, '')).toBe(type);
      expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(bytes.length));
    },
  );

  test('are the only files that their server serves', async () => {
    for (const name of ['/', '/samples/', '/samples/../samples-server.ts', '/samples/%2e%2e/store.ts']) {
      expect((await fetch(`http://${sandbox.controlFile.samples.host}${name}`)).status).toBe(404);
    }
  });

  test('have an address in the form of MEDIA_ALLOW_HOSTS', () => {
    const { host } = sandbox.controlFile.samples;
    expect(parseSettings({ MEDIA_ALLOW_HOSTS: host }).mediaAllowHosts).toEqual([host]);
  });
});

describe('a sandbox started again on its directory', () => {
  test('keeps ports, key, configuration, phones, rules, groups and numbers', async () => {
    const dataDir = temporaryDirectory();
    const first = await startSandbox({ dataDir, config: { lidChats: true } });
    const client = sandboxClient(dataDir);
    await client.addRule({ phone: PHONE, rule: { stage: 'wire', action: 'refuse', times: 3 } });
    await client.addGroup({ phone: PHONE, name: 'Friends' });
    await client.setDelivery({ phone: PHONE, deliveredMs: null, readMs: null });
    await client.addUnregistered({ numbers: ['491709999999'] });
    const before = await Promise.all([
      client.phones(),
      client.rules({ phone: PHONE }),
      client.groups({ phone: PHONE }),
    ]);
    await first.stop();
    expect(() => readControlFile(dataDir)).toThrow(AppError);

    const second = await startSandbox({ dataDir });
    const { url, httpsPort, spki, samples } = first.controlFile;
    expect(second.controlFile).toMatchObject({ url, httpsPort, spki, samples });
    expect(second.controlFile.token).not.toBe(first.controlFile.token);
    expect(fs.statSync(path.join(dataDir, 'sandbox', 'control.json')).mode & 0o777).toBe(0o600);
    const after = await Promise.all([
      client.phones(),
      client.rules({ phone: PHONE }),
      client.groups({ phone: PHONE }),
    ]);
    expect(after).toEqual(before);
    expect(await client.unregistered()).toEqual(['491709999999']);
    expect((await client.config()).lidChats).toBe(true);
    await second.stop();
    fs.rmSync(dataDir, { recursive: true });
  });

  test('uses other ports when its own are taken', async () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()];
    const first = await startSandbox({ dataDir: one });
    await first.stop();
    fs.cpSync(one, two, { recursive: true });
    const owner = await startSandbox({ dataDir: one });
    const other = await startSandbox({ dataDir: two });
    expect(other.controlFile.httpsPort).not.toBe(owner.controlFile.httpsPort);
    expect(await other.control.phones()).toEqual([]);
    await Promise.all([owner.stop(), other.stop()]);
    for (const directory of [one, two]) fs.rmSync(directory, { recursive: true });
  });

  test('is refused while another one runs', async () => {
    const dataDir = temporaryDirectory();
    const first = await startSandbox({ dataDir });
    await expect(startSandbox({ dataDir })).rejects.toThrow(
      /already runs on .+ Stop it, or set another DATA_DIR or SANDBOX_DIR\./,
    );
    expect(await first.control.phones()).toEqual([]);
    await first.stop();
    fs.rmSync(dataDir, { recursive: true });
  });
});
