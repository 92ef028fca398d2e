import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { identifyCaller, requireNumber } from '#server/api-keys/caller.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { MESSAGE_TYPES, type MessageContent } from '#server/core/message.ts';
import { numberStatusText } from '#server/core/number-status-text.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { parseRecipient } from '#server/core/recipient.ts';
import { type SendRequest, type SendResult, sendMessage } from '#server/messages/send-message.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { shownNumberState } from '#server/numbers/queries/number-status.ts';
import { beatAsWeb } from '#server/operations/web-process.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { createMediaFetcher } from '#server/platform/media/media-fetcher.ts';
import { openSpool } from '#server/platform/media/spool.ts';
import { startBoss, stopClientBoss } from '#server/platform/queue/boss.ts';
import { numberStatus } from '#server/rest/procedures/get-status.ts';
import { settings } from '#server/settings.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { handleSendJobs } from '../jobs/send.ts';
import { MediaDownloads } from '../numbers/dispatch/media-downloads.ts';
import { Supervisor } from '../numbers/leases/supervisor.ts';
import { BrowserlessNetwork } from './browserless.ts';
import { lentDisk } from './lent-disk.ts';

const actor = { kind: 'cli' } as const;

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Everything from sending down to the engine's port, over real PostgreSQL and without a browser. */
export async function startWorld() {
  const database = await createTestDatabase();
  setDatabase(database);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-world-'));
  const network = new BrowserlessNetwork();
  // An installation that has run: this build has sent every kind.
  await database.sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at) values ('sandbox', ${network.build}, now(), now())`;
  await database.sql`
    insert into page_build_kinds (network, version, kind, tested_at, tested_by, proven_at)
    select 'sandbox', ${network.build}, kind, now(), 'an earlier one', now() from unnest(${[...MESSAGE_TYPES]}::text[]) as kind`;
  const disk = lentDisk();
  const roomBytes = () => (disk.watch.level('media') === 'ok' ? disk.watch.roomBytes('media') : 0);
  const spool = await openSpool(directory, { roomBytes });
  const media = new MediaDownloads({
    database,
    log,
    spool,
    fetch: createMediaFetcher({ spool, allowHosts: settings.mediaAllowHosts, ports: [80, 443] }),
  });
  const stopBeat = await beatAsWeb({ database });
  const boss = await startBoss(database, 'worker');

  let buildSetting: BuildSetting = 'latest';
  async function startWorker(): Promise<Supervisor> {
    const supervisor = new Supervisor({
      database,
      engine: network.engine(),
      log,
      media,
      profileDir: (numberId) => path.join(directory, numberId),
      volumeId: 'vol_test',
      networkArgs: () => [],
      prepareProfile: async () => {},
      disk: disk.watch,
      buildSetting,
    });
    await supervisor.start();
    return supervisor;
  }
  let supervisor = await startWorker();
  await handleSendJobs(boss, (numberId) => supervisor.lookForWork(numberId));

  const { accountId } = await signUp(
    { database },
    {
      email: 'owner@example.com',
      password: 'a kingfisher dives at dusk',
      operator: actor,
    },
  );
  await activatePlan({ database, accountId, actor }, { numbersIncluded: 50, paidUntil: '2999-12-31' });

  async function addUnlinkedNumber() {
    const { id } = await addNumber({ database, accountId, actor }, { network: 'sandbox' });
    return { numberId: id };
  }

  let phones = 0;
  /** A connected number with a key. Its interval may be shorter than customers can set, to keep tests short. */
  async function addLinkedNumber(sendIntervalSeconds = 0) {
    const phone = `99900000${(phones++).toString().padStart(4, '0')}`;
    const { numberId } = await addUnlinkedNumber();
    await database.sql`update numbers set send_interval_seconds = ${sendIntervalSeconds} where id = ${numberId}`;
    await openLinking({ database, accountId, actor }, { numberId });
    await until(() => network.isOpen(numberId));
    network.scan(numberId, phone);
    await untilStatus(numberId, 'CONNECTED');
    const { id: keyId, key } = await createApiKey({ database, accountId, actor }, { numberId });
    return { numberId, phone, keyId, key };
  }

  /** From now on the number has no interval, not even after its last message. */
  async function endPause(numberId: string) {
    await database.sql`update leases set next_send_at = '-infinity' where number_id = ${numberId}`;
    await database.sql`update numbers set send_interval_seconds = 0 where id = ${numberId}`;
  }

  const statusOf = async (numberId: string) => (await shownNumberState(database.db, { numberId })).status;
  /** The number, as its owner's use cases identify it. */
  const ref = (numberId: string) => ({ accountId, numberId, actor });
  /** The number page's texts: state, reason, and what happens to new messages. */
  const sentenceOf = async (numberId: string) =>
    numberStatusText(await getNumber({ database, accountId }, { numberId }), {
      since: '1 min',
      emptyIn: '1 min',
      keptIn: '5 h',
    }).sentence;
  /** The answer of `GET /v1/status` to a key. */
  const statusFor = async (key: string) =>
    numberStatus(requireNumber(await identifyCaller({ database }, key)));
  /** How many sessions were opened for a number. */
  const opens = (numberId: string) => network.opens.get(numberId) ?? 0;
  const untilStatus = (numberId: string, status: string) =>
    until(async () => (await statusOf(numberId)) === status);

  async function send(
    key: string,
    to: string,
    content: MessageContent,
    more: Partial<SendRequest> = {},
  ): Promise<SendResult> {
    const caller = await identifyCaller({ database }, key);
    const recipient = parseRecipient(to);
    if (!recipient) throw new Error('not a recipient');
    const { accountId, keyId } = caller;
    return sendMessage(
      { database, accountId, numberId: requireNumber(caller).id, keyId },
      {
        recipient,
        content,
        mode: { kind: 'sync' },
        arrivedAtMs: performance.now(),
        idempotencyKey: null,
        requestId: null,
        requestHash: JSON.stringify([to, content]),
        reference: null,
        signal: new AbortController().signal,
        ...more,
      },
    );
  }

  return {
    database,
    boss,
    network,
    disk,
    accountId,
    actor,
    addUnlinkedNumber,
    addLinkedNumber,
    endPause,
    ref,
    sentenceOf,
    statusFor,
    opens,
    statusOf,
    untilStatus,
    send,
    text: (key: string, to: string, body: string, more: Partial<SendRequest> = {}) =>
      send(key, to, { type: 'text', body }, more),
    async restartWorker(setting: BuildSetting = buildSetting) {
      buildSetting = setting;
      await supervisor.stop();
      supervisor = await startWorker();
    },
    stopWorker: () => supervisor.stop(),
    async stop() {
      await supervisor.stop();
      await boss.stop({ graceful: false });
      await stopClientBoss();
      await stopBeat();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Waits for a condition, for at most 30 s. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<void> {
  await vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: timeoutMs, interval: 10 });
}
