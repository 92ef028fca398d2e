import { afterAll, expect, test, vi } from 'vitest';
import { isRunning } from '#server/platform/process/identity.ts';
import { Installation, kill, status } from '#server/testing/start.ts';

// As in `earlier-installation.integration.test.ts`.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const installation = new Installation();
afterAll(() => installation[Symbol.asyncDispose]());

test('after kill -9 of the supervisor everything else ends automatically', async () => {
  const product = await installation.start();
  const { processes } = installation;
  process.kill(product.pid, 'SIGKILL');
  await installation.expectNothingLeft(product, processes, 15_000);
});

test('a start right after kill -9 works, and only the database of the killed one remains', async () => {
  const product = await installation.start();
  const { processes } = installation;
  process.kill(product.pid, 'SIGKILL');
  const next = await installation.start();
  expect(await status(next)).toBe(200);
  const kept = [installation.databaseServer, installation.keeper];
  expect(processes.filter((identity) => isRunning(identity) && !kept.includes(identity))).toEqual([]);

  installation.processes.forEach(kill);
  await next.ended;
  const last = await installation.start();
  expect(await status(last)).toBe(200);
  process.kill(last.pid, 'SIGINT');
  expect(await last.ended).toBe(0);
  installation.expectTidy();
});

test.each(['SIGTERM', 'SIGKILL'] as const)('%s of npm stops what npm started', async (signal) => {
  const product = await installation.run('npm', ['start']);
  const { processes } = installation;
  process.kill(product.pid, signal);
  await product.ended;
  await installation.expectNothingLeft(product, processes, 15_000);
  installation.expectTidy();
});
