import { createClient } from './generated/client/index.ts';
import { Api } from './generated/sdk.gen.ts';
import type * as types from './generated/types.gen.ts';
import { type Call, type Patience, pause, request } from './request.ts';
import { verifyWebhook } from './webhooks.ts';

export { type ErrorCode, errors, WirebirdError } from './errors.ts';
export type * from './generated/types.gen.ts';
export { verifyWebhook, type WebhookHeaders, WebhookSignatureError } from './webhooks.ts';

export interface WirebirdOptions extends Partial<Patience> {
  /** A key of the number that sends: `wsk_live_…`, or `wsk_test_…` in the sandbox. */
  apiKey: string | undefined;
  /** The address of the installation, such as `https://wirebird.example.com`. */
  baseUrl: string;
}

export interface CallOptions {
  /** Aborts the call. An aborted send may still have been sent. */
  signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /** Your name for this one message, such as `order-1042-ready`. Without one, each call makes its own. */
  idempotencyKey?: string;
  /** Your own ID for the message. Its events contain it, and lists can be filtered by it. */
  reference?: string;
  /** Schedules the message, up to 30 days ahead. */
  sendAt?: Date | string;
  /** `async` resolves with `queued` once the message is accepted; `sync`, the default, once WhatsApp has it. */
  mode?: 'sync' | 'async';
  /** Checks the request as a real one, and sends nothing: resolves with `valid`. */
  dryRun?: boolean;
}

export interface Sent extends types.SendResult {
  /** This call sent nothing new: the message is of an earlier request with the same key, also of an earlier try. */
  replayed: boolean;
}

type Body<Data extends { body: unknown }> = Omit<Data['body'] & object, 'token'>;
type Filter = Omit<NonNullable<types.ListMessagesData['query']>, 'cursor'>;
type One = { path: { id: string }; signal: AbortSignal };
type Made<Content> = { body: Content; headers: Record<string, string>; signal: AbortSignal };

/** The API of one number. Its calls throw a `WirebirdError`. */
export class Wirebird {
  readonly #api: Api;
  readonly #patience: Patience;

  constructor({ apiKey, baseUrl, ...patience }: WirebirdOptions) {
    if (!apiKey) throw new TypeError('apiKey is missing. Create one in the dashboard under API.');
    const origin = new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/v1$/, '');
    // Made here, so that a key with a line break fails at once.
    const headers = new Headers({ Authorization: `Bearer ${apiKey}` });
    // A redirected POST would arrive as a GET.
    this.#api = new Api({ client: createClient({ baseUrl: `${origin}/v1`, headers, redirect: 'manual' }) });
    this.#patience = { maxAttempts: 6, attemptTimeoutMs: 70_000, timeoutMs: 180_000, ...patience };
  }

  readonly messages = {
    sendText: (body: Body<types.SendTextData>, options?: SendOptions) =>
      this.#send((made) => this.#api.sendText(made), body, options),
    sendImage: (body: Body<types.SendImageData>, options?: SendOptions) =>
      this.#send((made) => this.#api.sendImage(made), body, options),
    sendDocument: (body: Body<types.SendDocumentData>, options?: SendOptions) =>
      this.#send((made) => this.#api.sendDocument(made), body, options),
    sendLocation: (body: Body<types.SendLocationData>, options?: SendOptions) =>
      this.#send((made) => this.#api.sendLocation(made), body, options),
    sendContact: (body: Body<types.SendContactData>, options?: SendOptions) =>
      this.#send((made) => this.#api.sendContact(made), body, options),
    sendAudio: (body: Body<types.SendAudioData>, options?: SendOptions) =>
      this.#send((made) => this.#api.sendAudio(made), body, options),

    get: (id: string, options?: CallOptions): Promise<types.Message> =>
      this.#callOne(id, (one) => this.#api.getMessage(one), options),
    /** Waits until the message is no longer `queued` or `sending`. Use a signal to limit the wait. */
    wait: async (id: string, { signal, pollMs = 1000 }: CallOptions & { pollMs?: number } = {}) => {
      for (;;) {
        const message = await this.messages.get(id, { ...(signal && { signal }) });
        if (message.status !== 'queued' && message.status !== 'sending') return message;
        await pause(pollMs, signal);
      }
    },
    /** All messages of the number that match, newest first. `limit` is the size of a page. */
    list: (filter?: Filter, options?: CallOptions): AsyncGenerator<types.Message, void> =>
      this.#list(filter, options),
    /** Cancels a message that still waits. */
    cancel: (id: string, options?: CallOptions): Promise<types.Message> =>
      this.#callOne(id, (one) => this.#api.cancelMessage(one), options, false),
  };

  readonly recipients = {
    /** Are these phones on WhatsApp? At most 50. */
    check: async (to: string | string[], options?: CallOptions): Promise<types.CheckedRecipient[]> => {
      const body = { to };
      return (await this.#call((signal) => this.#api.checkRecipients({ signal, body }), options)).recipients;
    },
  };

  readonly number = {
    /** The number with its health and limits. */
    get: (options?: CallOptions): Promise<types.Number> =>
      this.#call((signal) => this.#api.getNumber({ signal }), options),
  };

  readonly webhooks = {
    /** The only answer that has the endpoint's `secret`. */
    create: (body: Body<types.CreateWebhookData>, options?: CallOptions): Promise<types.WebhookWithSecret> =>
      this.#call((signal) => this.#api.createWebhook({ signal, body }), options, false),
    list: async (options?: CallOptions): Promise<types.Webhook[]> =>
      (await this.#call((signal) => this.#api.listWebhooks({ signal }), options)).webhooks,
    update: (
      id: string,
      body: Body<types.ChangeWebhookData>,
      options?: CallOptions,
    ): Promise<types.Webhook> =>
      this.#callOne(id, (one) => this.#api.changeWebhook({ ...one, body }), options),
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await this.#callOne(id, (one) => this.#api.deleteWebhook(one), options, false);
    },
    /** Creates a new secret. For 24 hours requests are also signed with the one before it. */
    rotate: (id: string, options?: CallOptions): Promise<types.WebhookWithSecret> =>
      this.#callOne(id, (one) => this.#api.rotateWebhook(one), options, false),
    /** Sends a test event to this endpoint, and resolves with its ID: the `webhook-id` of the request. */
    test: async (id: string, options?: CallOptions): Promise<string> =>
      (await this.#callOne(id, (one) => this.#api.testWebhook(one), options, false)).eventId,
    /** Sends all events since a time again, and resolves with how many. */
    replay: async (id: string, since: Date | string, options?: CallOptions): Promise<number> => {
      const body = { since: timeOf(since) };
      const replay = (one: One) => this.#api.replayWebhook({ ...one, body });
      return (await this.#callOne(id, replay, options, false)).events;
    },
    verify: verifyWebhook,
  };

  /** The state of the number. */
  status(options?: CallOptions): Promise<types.NumberStatus> {
    return this.#call((signal) => this.#api.getStatus({ signal }), options);
  }

  async #send<Content extends object>(
    send: (made: Made<Content>) => ReturnType<Call<types.SendResult>['attempt']>,
    content: Content,
    options: SendOptions = {},
  ): Promise<Sent> {
    requireNames(content, options);
    const { reference, sendAt, mode, dryRun, signal } = options;
    const isOwnKey = options.idempotencyKey === undefined;
    const { idempotencyKey = crypto.randomUUID() } = options;
    if (typeof idempotencyKey !== 'string')
      throw new TypeError('idempotencyKey must be a string. Without one, the call makes its own.');
    if (mode !== undefined && mode !== 'sync' && mode !== 'async')
      throw new TypeError('mode must be "sync" or "async".');
    const headers = {
      'Idempotency-Key': idempotencyKey,
      ...(sendAt !== undefined && { 'X-Send-At': timeOf(sendAt) }),
      ...(mode === 'async' && { Prefer: 'respond-async' }),
      ...(dryRun && { 'X-Dry-Run': 'true' }),
    };
    new Headers(headers); // Throws for characters that a header cannot have.
    // A copy, so that every try sends the same bytes even if the caller changes its object.
    const body = JSON.parse(JSON.stringify({ ...content, ...(reference && { reference }) })) as Content;
    const attempt = (signal: AbortSignal) => send({ body, headers, signal });
    const call = { attempt, repeatable: true, idempotencyKey, isOwnKey, signal };
    const answer = await request({ ...this.#patience, ...call });
    return { ...answer.data, replayed: answer.replayed };
  }

  async #call<Data>(
    attempt: Call<Data>['attempt'],
    { signal }: CallOptions = {},
    repeatable = true,
  ): Promise<Data> {
    return (await request({ ...this.#patience, attempt, repeatable, signal })).data;
  }

  /** A call about one message or endpoint. With an empty ID, as a dry run has, its path would be that of the list. */
  async #callOne<Data>(
    id: string,
    call: (one: One) => ReturnType<Call<Data>['attempt']>,
    options?: CallOptions,
    repeatable?: boolean,
  ): Promise<Data> {
    if (!id) throw new TypeError('id is empty. The result of a dry run has no id.');
    return this.#call((signal) => call({ path: { id }, signal }), options, repeatable);
  }

  async *#list(filter?: Filter, options?: CallOptions): AsyncGenerator<types.Message, void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { ...filter, ...(cursor && { cursor }) };
      const page: types.MessagesAnswer['data'] = await this.#call(
        (signal) => this.#api.listMessages({ signal, query }),
        options,
      );
      yield* page.messages;
      cursor = page.next;
    }
  }
}

const OPTIONS: ReadonlySet<string> = new Set<keyof SendOptions>([
  'idempotencyKey',
  'reference',
  'sendAt',
  'mode',
  'dryRun',
  'signal',
]);

/** A misspelt or misplaced option would be ignored, and the message sent at once, or twice. */
function requireNames(content: object, options: object): void {
  const unknown = Object.keys(options).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined) throw new TypeError(`There is no option ${unknown}.`);
  const misplaced = Object.keys(content).find((name) => OPTIONS.has(name) && name !== 'reference');
  if (misplaced !== undefined)
    throw new TypeError(`${misplaced} is an option: pass it in the second argument, not with the fields.`);
}

const timeOf = (time: Date | string) => (typeof time === 'string' ? time : time.toISOString());
