import type { OpenAPIObject } from 'trpc-openapi';
import { checkerOf } from '#server/testing/openapi-document.ts';
import { type LinkedNumber, linkNumber } from '../linked-number.ts';
import type { Stack } from '../stack.ts';

/** What a virtual phone delivered. */
interface Delivered {
  to: string;
  type: string;
  body?: string;
  caption?: string;
  filename?: string;
  sha256?: string;
  bytes?: number;
  latitude?: number;
  longitude?: number;
  name?: string;
  address?: string;
  vcard?: string;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: { success: boolean; error?: string; data?: Record<string, unknown> };
}

export interface Api {
  number: LinkedNumber;
  document: OpenAPIObject;
  /** Calls a path below `/v1` with the number's key, and checks the answer against the document. */
  call(path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Answer>;
  /** Posts a message of this kind. */
  send(kind: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  /** The last message that the number's phone delivered; fields that do not apply are absent. */
  lastDelivered(): Promise<Delivered>;
  /** How many messages it delivered. */
  delivered(): Promise<number>;
}

/** Tests with a linked number of a new account. */
export async function apiOf(stack: Stack): Promise<Api> {
  const number = await linkedNumber(stack);
  const document: OpenAPIObject = await (await fetch(`${stack.url}/v1/openapi.json`)).json();
  const { assertDocumented } = checkerOf(document);
  const call: Api['call'] = async (path, { body, headers } = {}) => {
    const method = body === undefined ? 'GET' : 'POST';
    const response = await fetch(`${stack.url}/v1${path}`, {
      method,
      headers: { 'x-api-key': number.key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.json(),
    };
    assertDocumented(method, path, answer);
    return answer;
  };
  const inbox = () =>
    stack.cli<(Delivered & { at?: number })[]>('sandbox', 'inbox', '--instance', number.instance);
  return {
    number,
    document,
    call,
    send: (kind, body, headers = {}) => call(`/messages/${kind}`, { body, headers }),
    async lastDelivered() {
      const { at: _at, ...last } = (await inbox()).at(-1) ?? { to: '', type: '' };
      return last;
    },
    delivered: async () => (await inbox()).length,
  };
}

async function linkedNumber(stack: Stack): Promise<LinkedNumber> {
  const email = `rest-${crypto.randomUUID()}@example.com`;
  await stack.cli('account', 'create', '--email', email, '--password', 'a kingfisher dives at dusk');
  await stack.cli('account', 'activate', '--email', email, '--numbers', '2', '--until', '2099-12-31');
  return linkNumber(stack, email);
}
