/** The thread that delivers webhooks, as `WebhookThread` starts it. */
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { clientOf } from './client-of.ts';
import { WebhookDispatcher } from './dispatcher.ts';

/** Besides those that are only for webhooks. */
const CONNECTIONS = 1;
/** The share of a busy processor becomes a third of that of a thread at the worker's own priority. */
const NICER_BY = 5;

if (!parentPort) throw new Error('This file runs only as a thread of a worker.');
// On Linux this is the priority of the thread alone; elsewhere it would be that of the whole worker.
if (process.platform === 'linux')
  os.setPriority(Math.min(os.getPriority() + NICER_BY, os.constants.priority.PRIORITY_LOW));
const pools = openDatabase(workerData.databaseUrl, CONNECTIONS);
// Nothing here holds a connection for long, so jobs share those of webhooks.
const database = { ...pools, bossPool: pools.webhooksPool };
const boss = await startBoss(database, 'client');
const dispatcher = new WebhookDispatcher({ database, boss, log, open: clientOf });
const started = dispatcher.start();
parentPort.once('message', async () => {
  await started;
  await dispatcher.stop();
  await boss.stop({ graceful: false });
  await pools.close();
});
await started;
