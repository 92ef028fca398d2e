import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { exampleRequest, type SampleFiles } from '#server/core/examples.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import type { Podman } from './podman.ts';

const EMAIL = 'owner@example.com';
const CONNECTED_WITHIN_MS = 120_000;

/** A customer of the product in a container, with a linked sandbox number and a key. Calls it as a proxy does. */
export class Customer {
  readonly #cli: <T>(...args: string[]) => T;
  readonly #number: string;
  readonly #base: string;
  readonly #key: string;
  readonly #files: SampleFiles;

  private constructor(cli: <T>(...args: string[]) => T, number: string, base: string, key: string) {
    this.#cli = cli;
    this.#number = number;
    this.#base = base;
    this.#key = key;
    this.#files = cli('sandbox', 'samples');
  }

  /** `base` is the address of the API, and `container` the one whose command line is used. */
  static async signUp(podman: Podman, container: string, base: string): Promise<Customer> {
    const cli = <T>(...args: string[]) => podman.cli<T>(container, ...args);
    cli('account', 'create', '--email', EMAIL, '--password', 'a kingfisher dives at dusk', '--admin');
    const paidUntil = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);
    cli('account', 'activate', '--email', EMAIL, '--numbers', '1', '--until', paidUntil);
    const number = cli<{ instance: string }>('number', 'add', '--email', EMAIL, '--network', 'sandbox');
    cli('number', 'link', '--instance', number.instance);
    const { key } = cli<{ key: string }>('key', 'create', '--instance', number.instance);
    return new Customer(cli, number.instance, base, key);
  }

  /** The same customer, who calls another address. */
  at(base: string): Customer {
    return new Customer(this.#cli, this.#number, base, this.#key);
  }

  /** One message of each kind. */
  async sendEvery(): Promise<void> {
    for (const type of MESSAGE_TYPES) await this.#send(type);
  }

  /** Waits until the number has connected without being linked again, and sends a text. */
  async sendAgain(): Promise<void> {
    const until = performance.now() + CONNECTED_WITHIN_MS;
    for (;;) {
      const { body } = await this.#call('GET', '/v1/status');
      if (body.data?.connected === true) break;
      assert.ok(performance.now() < until, `the number is not connected: ${JSON.stringify(body)}`);
      await delay(500);
    }
    await this.#send('text');
  }

  /** Begins to send a text whose acknowledgement never comes, and returns its id once it is being sent. */
  async beginToSend(): Promise<string> {
    this.#cli(
      'sandbox',
      'rule',
      '--instance',
      this.#number,
      '--stage',
      'wire',
      '--action',
      'hang',
      '--times',
      '1',
    );
    const content = exampleRequest('text', this.#files);
    const { body } = await this.#call('POST', '/v1/messages/text', content, { prefer: 'respond-async' });
    const { id } = body.data;
    await this.untilStatus(id, 'sending');
    return id;
  }

  /** Waits until a message has this status. */
  async untilStatus(id: string, wanted: string): Promise<void> {
    const until = performance.now() + CONNECTED_WITHIN_MS;
    for (;;) {
      const { body } = await this.#call('GET', `/v1/messages/${id}`);
      if (body.data?.status === wanted) return;
      assert.ok(performance.now() < until, `${id} is not ${wanted}: ${JSON.stringify(body)}`);
      await delay(100);
    }
  }

  /** Sends a text once; `async` is answered before it is dispatched. Returns the status of the answer. */
  async sendText(to: string, body: string, lane: 'sync' | 'async'): Promise<number> {
    const headers = { 'idempotency-key': body, ...(lane === 'async' && { prefer: 'respond-async' }) };
    return (await this.#call('POST', '/v1/messages/text', { to, body }, headers)).status;
  }

  /** What has arrived from the number. */
  inbox(): { body: string }[] {
    return this.#cli('sandbox', 'inbox', '--instance', this.#number);
  }

  async #send(type: MessageType): Promise<void> {
    const { status, body } = await this.#call(
      'POST',
      `/v1/messages/${type}`,
      exampleRequest(type, this.#files),
    );
    console.log(`${type.padEnd(8)} ${status} ${JSON.stringify(body)}`);
    assert.equal(status, 200);
  }

  async #call(method: string, target: string, content?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(this.#base + target, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.7',
        'x-forwarded-proto': 'https',
        ...headers,
      },
      ...(content && { body: JSON.stringify(content) }),
    });
    const text = await answer.text();
    // A proxy's own error may have no body.
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  }
}
