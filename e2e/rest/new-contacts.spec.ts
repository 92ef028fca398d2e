import { sandboxClient } from '#server/sandbox/client.ts';
import { expect, test } from '../test.ts';

const FREE = { timelock: null, cap: null, checkpoint: null };

test('a timelocked number contacts known people, refuses new people until the lock ends, and says so', async ({
  api,
  stack,
}) => {
  const control = sandboxClient(stack.dataDir);
  const phone = api.number.phoneNumber;
  const [customer, writer, stranger] = ['4915228817301', '4915228817302', '4915228817303'] as const;
  const health = async () => (await api.call('/number')).body.data?.health;
  const text = (to: string, headers = {}) => api.send('text', { to, body: 'Good morning' }, headers);
  expect((await text(customer)).status).toBe(200);
  await control.receive({ phone, from: writer, body: 'When do you open?' });

  const endsAt = Date.now() + 3_600_000;
  await control.restrict({ phone, restrictions: { ...FREE, timelock: { endsAt } } });
  await expect.poll(health).toMatchObject({ level: 'limited' });
  const before = await api.delivered();
  for (const headers of [{}, { prefer: 'respond-async' }]) {
    const refused = await text(stranger, headers);
    expect(refused.status).toBe(429);
    expect(refused.headers['x-limit']).toBe('new-contacts');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3500);
  }
  expect(await api.delivered()).toBe(before);
  for (const known of [customer, writer]) expect((await text(known)).status).toBe(200);
  expect(await api.delivered()).toBe(before + 2);

  await control.restrict({ phone, restrictions: FREE });
  await expect.poll(health).not.toMatchObject({ level: 'limited' });
  expect((await text(stranger)).status).toBe(200);
});

test('an unannounced refusal makes the number check its restrictions', async ({ ownApi: api, stack }) => {
  const control = sandboxClient(stack.dataDir);
  const phone = api.number.phoneNumber;
  await control.restrict({
    phone,
    restrictions: { ...FREE, timelock: { endsAt: Date.now() + 3_600_000 } },
    silently: true,
  });
  const first = await api.send('text', { to: '4915228817311', body: 'Good morning' });
  expect(first.status).toBe(502);
  expect(first.headers['x-send-outcome']).toBe('not_sent');
  expect(first.body.error).toContain('463');
  await expect
    .poll(async () => (await api.send('text', { to: '4915228817312', body: 'Good morning' })).status, {
      // Each attempt waits for its slot.
      timeout: 60_000,
    })
    .toBe(429);
  await control.restrict({ phone, restrictions: FREE });
});
