import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'playwright/test';
import type { Child } from '../faults/child.ts';
import { type Fleet, startFleet } from './fleet.ts';

const EMAIL = 'owner@example.com';
const PASSWORD = 'a kingfisher dives at dusk';
/** Between two attempts of a caller. */
const AGAIN_MS = 250;

interface Called {
  body: string;
  /** All answers up to the final one. */
  answers: string[];
}

/** A program that sends one message after another, each until its outcome is known. */
function keepPosting(url: string, key: string, name: string) {
  const calls: Called[] = [];
  let over = false;
  const done = (async () => {
    for (let n = 1; !over; n++) {
      const called: Called = { body: `${name} ${n}`, answers: [] };
      calls.push(called);
      const idempotencyKey = randomUUID();
      for (;;) {
        const answer = await postOnce(url, key, idempotencyKey, called.body);
        called.answers.push(answer);
        if (answer === '200' || answer === '502 unknown') break;
        await delay(AGAIN_MS);
      }
    }
  })();
  return {
    calls,
    /** The 4xx answers. */
    refusals: () => calls.flatMap(({ answers }) => answers.filter((answer) => /^4/.test(answer))),
    answered: () => calls.filter(({ answers }) => answers.at(-1) === '200').length,
    async end() {
      over = true;
      await done;
    },
  };
}

async function postOnce(url: string, key: string, idempotencyKey: string, body: string): Promise<string> {
  const answer = await fetch(`${url}/v1/messages/text`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ to: '4915228817386', body }),
  }).catch(() => null);
  const outcome = answer?.headers.get('x-send-outcome');
  await answer?.arrayBuffer().catch(() => {});
  return answer ? [answer.status, outcome].filter(Boolean).join(' ') : 'lost';
}

/** The process that holds a number and runs its session. */
async function holderOf({ database }: Fleet, numberId: string): Promise<number | null> {
  const [held] = await database.sql<{ pid: number }[]>`
    select p.pid from leases l join processes p on p.id = l.worker_id join numbers n on n.id = l.number_id
    where l.number_id = ${numberId} and l.expires_at > clock_timestamp() and n.moving_until is null and n.status = 'CONNECTED'`;
  return held?.pid ?? null;
}

/** The worker that holds a number, once the number is not moving. */
async function workerOf(fleet: Fleet, numberId: string): Promise<Child> {
  let holder: Child | undefined;
  await expect
    .poll(
      async () => {
        const pid = await holderOf(fleet, numberId);
        holder = pid === null ? undefined : fleet.workers.find((worker) => worker.pid === pid);
        return holder !== undefined;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  if (!holder) throw new Error('nobody holds it');
  return holder;
}

test('two web and two worker processes complete a journey while they are drained and killed in turn', async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const fleet = await startFleet({
    SANDBOX_SEND_INTERVAL_MS: '500',
    SANDBOX_LEASE_MS: '8000',
    SANDBOX_RESTART_PAUSE_MS_MAX: '1000',
    RATE_SENDS_PER_MINUTE: '100000',
  });
  try {
    const { cli, url, webs, workers } = fleet;
    const email = ['--email', EMAIL];
    await cli('account', 'create', ...email, '--password', PASSWORD);
    await cli('account', 'activate', ...email, '--numbers', '2', '--until', '2099-12-31');
    const { instance: second } = await cli<{ instance: string }>(
      ...['number', 'add', ...email, '--network', 'sandbox', '--label', 'Rentals'],
    );
    await cli('number', 'link', '--instance', second);

    const page = await (await browser.newContext({ baseURL: url })).newPage();
    const first = await test.step('a number is added and linked on the screen', async () => {
      await page.goto('/sign-in');
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/');
      await page.goto('/numbers/new');
      await page.getByRole('radio', { name: /Sandbox number/ }).click();
      await page.getByLabel('Name', { exact: true }).fill('Workshop');
      await page.getByRole('button', { name: 'Add number' }).click();
      await page.getByRole('button', { name: 'Show the QR code' }).click();
      await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
      await expect(page.getByRole('heading', { name: 'Workshop is connected' })).toBeVisible();
      const numbers = await cli<{ instance: string; label: string }[]>('number', 'list', ...email);
      return numbers.find(({ label }) => label === 'Workshop')?.instance ?? '';
    });

    const numbers = [first, second];
    const callers = await Promise.all(
      numbers.map(async (instance) => {
        const { key } = await cli<{ key: string }>('key', 'create', '--instance', instance);
        return { instance, ...keepPosting(url, key, instance) };
      }),
    );
    /** Each program got at least two more answers of 200, so sending works from end to end. */
    const allGoOn = async () => {
      const before = callers.map((caller) => caller.answered());
      await expect
        .poll(() => callers.every((caller, n) => caller.answered() > (before[n] ?? 0) + 1), {
          timeout: 60_000,
        })
        .toBe(true);
    };
    const allHeldBy = (pids: (number | undefined)[]) =>
      expect
        .poll(
          async () => {
            const holders = await Promise.all(numbers.map((number) => holderOf(fleet, number)));
            return holders.every((pid) => pid !== null && pids.includes(pid));
          },
          { timeout: 60_000 },
        )
        .toBe(true);
    const shown = page.getByRole('row', { name: /Workshop/ });
    await page.goto('/numbers');
    await allGoOn();

    await test.step('each worker is drained in turn, and nobody notices', async () => {
      for (const [leaving, staying] of [workers, workers.toReversed()]) {
        await leaving?.end('SIGTERM');
        await allHeldBy([staying?.pid]);
        await allGoOn();
        await expect(shown).toContainText('Connected');
        await leaving?.start();
      }
      expect(callers.flatMap((caller) => caller.refusals())).toEqual([]);
    });

    await test.step('one web is stopped and the other killed, and who asks again is answered', async () => {
      await webs[0].end('SIGTERM');
      await allGoOn();
      await webs[0].start();
      await webs[1].end('SIGKILL');
      await allGoOn();
      await page.reload();
      await expect(shown).toContainText('Connected');
      await webs[1].start();
      expect(callers.flatMap((caller) => caller.refusals())).toEqual([]);
    });

    await test.step('a worker that is killed takes its numbers up again', async () => {
      const killed = await workerOf(fleet, first);
      await killed.end('SIGKILL');
      await killed.start();
      await allHeldBy(workers.map((worker) => worker.pid));
      await allGoOn();
      await expect(shown).toContainText('Connected');
    });

    await Promise.all(callers.map((caller) => caller.end()));

    await test.step('a number whose worker is gone says what it waits for, and is linked again without it', async () => {
      const killed = await workerOf(fleet, first);
      await killed.end('SIGKILL');
      await page.goto(`/numbers/${first}`);
      await expect(page.getByText('The server of this number does not respond')).toBeVisible({
        timeout: 60_000,
      });
      await expect(page.getByText(/which does not respond\..* It has waited for /)).toBeVisible();
      await page.getByRole('link', { name: 'Link again' }).click();
      await page.getByRole('button', { name: 'Show the QR code' }).click();
      await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
      await expect(page.getByRole('heading', { name: 'Workshop is connected' })).toBeVisible();
    });

    for (const { instance, calls } of callers) {
      const inbox = await cli<{ body: string }[]>('sandbox', 'inbox', '--instance', instance);
      for (const { body, answers } of calls) {
        const arrived = inbox.filter((one) => one.body === body).length;
        if (answers.at(-1) === '200') expect(`${body}: ${arrived}`).toBe(`${body}: 1`);
        else expect(arrived, `${body}: ${answers}`).toBeLessThanOrEqual(1);
      }
      // Only messages in progress when the worker was killed may be unknown.
      expect(calls.filter(({ answers }) => answers.at(-1) !== '200').length).toBeLessThanOrEqual(1);
    }
    await page.goto('/messages');
    const last = callers[0]?.calls.at(-1)?.body ?? '';
    await expect(page.getByRole('row', { name: new RegExp(`${last}(?!\\d)`) })).toBeVisible();
  } finally {
    await fleet.stop();
  }
});
