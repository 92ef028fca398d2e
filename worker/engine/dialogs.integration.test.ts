import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';

let engine: TemporaryEngine;
beforeAll(async () => {
  engine = await temporaryEngine({ dialogs: ['whats-new', 'notifications', 'unknown'] });
});
afterAll(() => engine[Symbol.asyncDispose]());

const headings = ({ client }: Opened) =>
  client().pupPage?.evaluate(() =>
    [...document.querySelectorAll('[role="dialog"] h1')].map(({ textContent }) => textContent),
  );

test('"What’s new" and the question about notifications are closed, an unknown dialog is left open and reported once, and messages are sent', async () => {
  const one = await engine.link('num_dialogs', '491700000051');
  await vi.waitFor(async () => expect(await headings(one)).toEqual(['Meet the new calls tab']), 20_000);
  const message = text('491700000002@c.us', 'behind a dialog');
  await one.session.lookUp('491700000002');
  await one.session.send(message);
  expect(await one.events.untilAck(message.waMessageId)).toBe(1);
  expect(one.events.states.at(-1)).toMatchObject({ state: 'ready' });
  const unknown = () => one.warned.filter((line) => line.includes('dialog'));
  await vi.waitFor(() => expect(unknown()).toHaveLength(1), 20_000);
  expect(unknown()[0]).toContain('Meet the new calls tab');
  expect(unknown()[0]).toContain('2.3000.1030000000');
  const { values } = await metrics().unknownDialogs.get();
  expect(values).toEqual([expect.objectContaining({ value: 1, labels: { build: '2.3000.1030000000' } })]);
});

/** Notes reads that make WhatsApp revoke a fresh link. Single messages may be read. */
const noteReads = () => {
  type Modules = Record<string, Record<string, unknown>>;
  const site = window as unknown as { require(name: string): Modules[string]; reads: string[] };
  site.reads = [];
  const note = (owner: Record<string, unknown>, name: string) => {
    const inner = owner[name] as (...given: unknown[]) => unknown;
    owner[name] = (...given: unknown[]) => {
      site.reads.push(name);
      return inner.apply(owner, given);
    };
  };
  const collections = site.require('WAWebCollections');
  note(site.require('WAWebChatLoadMessages'), 'loadEarlierMsgs');
  note(site.require('WAWebSchemaMessage'), 'getMessageTable');
  for (const name of ['Status', 'StatusV3']) {
    const { [name]: value } = collections;
    Object.defineProperty(collections, name, {
      get: () => {
        site.reads.push(name);
        return value;
      },
    });
  }
};

test('from the link until after the first message, neither history nor a store nor a status is read', async () => {
  const phone = '491700000052';
  for (const from of ['491700000053', '491700000054'])
    await engine.control.receive({ phone, from, body: 'hi' });
  const one = engine.open('num_reads');
  await one.session.start();
  const { qr } = await one.events.until(({ qrs }) => qrs.at(-1));
  await one.client().pupPage?.evaluate(noteReads);
  await engine.control.scan({ phone, qr });
  await one.events.untilState('ready');
  await one.events.until(({ wrote }) => (wrote.length === 2 ? wrote : undefined));
  await one.session.health({ ask: true });
  await one.session.listGroups();
  const message = text('491700000002@c.us', 'the first one');
  await one.session.lookUp('491700000002');
  await one.session.send(message);
  expect(await one.events.untilAck(message.waMessageId)).toBe(1);
  const reads = () => one.client().pupPage?.evaluate(() => (window as unknown as { reads: string[] }).reads);
  expect(await reads()).toEqual([]);
  // The reads are seen: looking for an earlier message is one.
  await one.session.reconcile({ waMessageId: '3EB0NONE', address: message.address });
  expect(await reads()).toContain('loadEarlierMsgs');
});
