import { createClient } from './generated/client/index.ts';
import * as api from './generated/sdk.gen.ts';
import type * as types from './generated/types.gen.ts';
import { type Call, type Patience, pause, request } from './request.ts';
import { verifyWebhook, webCrypto } from './webhooks.ts';

export { type ErrorCode, type ErrorDetails, errors, WirebirdError } from './errors.ts';
export type * from './generated/types.gen.ts';
export { verifyWebhook, type WebhookEvent, type WebhookHeaders, WebhookSignatureError } from './webhooks.ts';

export interface WirebirdOptions extends Partial<Patience> {
  /** A key of the number that sends: `wsk_live_…`, or `wsk_test_…` in the sandbox. */
  apiKey: string | undefined;
  /** The address of the installation, such as `https://wirebird.example.com`. */
  baseUrl: string;
}

export interface CallOptions {
  /** Aborts the call. A send that is aborted may have left. */
  signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /** Your name for this one message, such as an order number. Without one, each call makes its own. */
  idempotencyKey?: string;
  /** Your own ID for the message. It is part of its events and finds it in lists. */
  reference?: string;
  /** Schedules the message, up to 30 days ahead. */
  sendAt?: Date | string;
  /** `async`: resolve with `queued` as soon as the message is accepted. Default: `sync`, when WhatsApp has it. */
  mode?: 'sync' | 'async';
  /** Checks the request as a real one, and sends nothing: resolves with `valid`. */
  dryRun?: boolean;
}

type Body<Data extends { body: unknown }> = Omit<Data['body'] & object, 'token'>;
type Filter = Omit<NonNullable<types.ListMessagesData['query']>, 'cursor'>;
type Made = { client: ReturnType<typeof createClient>; signal: AbortSignal };
type Attempt<Data> = ReturnType<Call<Data>['attempt']>;
type Send<Content> = (
  options: Made & { body: Content; headers: Record<string, string> },
) => Attempt<types.SendResult>;

/** The API of one number. Its calls throw a `WirebirdError`. */
export class Wirebird {
  readonly #client: ReturnType<typeof createClient>;
  readonly #patience: Patience;

  constructor({ apiKey, baseUrl, ...patience }: WirebirdOptions) {
    if (!apiKey) throw new TypeError('apiKey is missing. Create one in the dashboard under API.');
    const origin = new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/v1$/, '');
    // Made here, so that a key with a line break fails at once.
    const headers = new Headers({ Authorization: `Bearer ${apiKey}` });
    // A redirected POST would arrive as a GET.
    this.#client = createClient({ baseUrl: `${origin}/v1`, headers, redirect: 'manual' });
    this.#patience = { maxAttempts: 6, attemptTimeoutMs: 70_000, timeoutMs: 180_000, ...patience };
  }

  readonly messages = {
    sendText: (body: Body<types.SendTextData>, options?: SendOptions) =>
      this.#send(api.sendText, body, options),
    sendImage: (body: Body<types.SendImageData>, options?: SendOptions) =>
      this.#send(api.sendImage, body, options),
    sendDocument: (body: Body<types.SendDocumentData>, options?: SendOptions) =>
      this.#send(api.sendDocument, body, options),
    sendLocation: (body: Body<types.SendLocationData>, options?: SendOptions) =>
      this.#send(api.sendLocation, body, options),
    sendContact: (body: Body<types.SendContactData>, options?: SendOptions) =>
      this.#send(api.sendContact, body, options),
    sendAudio: (body: Body<types.SendAudioData>, options?: SendOptions) =>
      this.#send(api.sendAudio, body, options),

    get: (id: string, options?: CallOptions): Promise<types.Message> =>
      this.#call((made) => api.getMessage({ ...made, path: { id } }), options),
    /** Waits until the message is no longer `queued` or `sending`. Bound it by a signal. */
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
      this.#call((made) => api.cancelMessage({ ...made, path: { id } }), options, false),
  };

  readonly recipients = {
    /** Are these phones on WhatsApp? At most 50. */
    check: async (to: string | string[], options?: CallOptions): Promise<types.CheckedRecipient[]> => {
      const body = { to };
      return (await this.#call((made) => api.checkRecipients({ ...made, body }), options)).recipients;
    },
  };

  readonly number = {
    /** The number with its health and limits. */
    get: (options?: CallOptions): Promise<types.Number> => this.#call(api.getNumber, options),
  };

  readonly webhooks = {
    /** The answer has the `secret` of the endpoint, only this time. */
    create: (body: Body<types.CreateWebhookData>, options?: CallOptions): Promise<types.WebhookWithSecret> =>
      this.#call((made) => api.createWebhook({ ...made, body }), options, false),
    list: async (options?: CallOptions): Promise<types.Webhook[]> =>
      (await this.#call(api.listWebhooks, options)).webhooks,
    update: (
      id: string,
      body: Body<types.ChangeWebhookData>,
      options?: CallOptions,
    ): Promise<types.Webhook> =>
      this.#call((made) => api.changeWebhook({ ...made, path: { id }, body }), options),
    delete: async (id: string, options?: CallOptions): Promise<void> => {
      await this.#call((made) => api.deleteWebhook({ ...made, path: { id } }), options, false);
    },
    /** A new secret. For 24 hours requests are signed with both. */
    rotate: (id: string, options?: CallOptions): Promise<types.WebhookWithSecret> =>
      this.#call((made) => api.rotateWebhook({ ...made, path: { id } }), options, false),
    /** Sends all events since a time again, and resolves with how many. */
    replay: async (id: string, since: Date | string, options?: CallOptions): Promise<number> => {
      const body = { since: timeOf(since) };
      const replay = (made: Made) => api.replayWebhook({ ...made, path: { id }, body });
      return (await this.#call(replay, options, false)).events;
    },
    verify: verifyWebhook,
  };

  /** The state of the number. */
  status(options?: CallOptions): Promise<types.NumberStatus> {
    return this.#call(api.getStatus, options);
  }

  async #send<Content extends object>(
    send: Send<Content>,
    body: Content,
    options: SendOptions = {},
  ): Promise<types.SendResult> {
    const { idempotencyKey = (await webCrypto()).randomUUID(), reference, sendAt, mode, dryRun } = options;
    const headers = {
      'Idempotency-Key': idempotencyKey,
      ...(sendAt && { 'X-Send-At': timeOf(sendAt) }),
      ...(mode === 'async' && { Prefer: 'respond-async' }),
      ...(dryRun && { 'X-Dry-Run': 'true' }),
    };
    new Headers(headers); // Throws for characters that a header cannot have.
    // A copy: every try sends the same bytes, whatever the caller does with its object.
    const copy = JSON.parse(JSON.stringify({ ...body, ...(reference && { reference }) })) as Content;
    const attempt: Call<types.SendAnswer['data']>['attempt'] = (signal) =>
      send({ client: this.#client, body: copy, headers, signal });
    return request({ ...this.#patience, attempt, repeatable: true, idempotencyKey, signal: options.signal });
  }

  #call<Data>(
    call: (options: Made) => Attempt<Data>,
    { signal }: CallOptions = {},
    repeatable = true,
  ): Promise<Data> {
    const attempt = (attemptSignal: AbortSignal) => call({ client: this.#client, signal: attemptSignal });
    return request({ ...this.#patience, attempt, repeatable, signal });
  }

  async *#list(filter?: Filter, options?: CallOptions): AsyncGenerator<types.Message, void> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { ...filter, ...(cursor && { cursor }) };
      const page: types.MessagesAnswer['data'] = await this.#call(
        (made) => api.listMessages({ ...made, query }),
        options,
      );
      yield* page.messages;
      cursor = page.next;
    }
  }
}

const timeOf = (time: Date | string) => (typeof time === 'string' ? time : time.toISOString());
