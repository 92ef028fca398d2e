import { clock } from './notes.ts';

export interface Call {
  key: string;
  method?: 'GET' | 'POST';
  /** Below `/v1`. */
  path: string;
  body?: object;
  headers?: Record<string, string>;
  /** The client gives up after this time. */
  timeoutMs?: number;
}

export interface Called {
  /** Null if the client gave up, or nobody answered. */
  status: number | null;
  headers: Headers;
  body: { data?: { id?: string; status?: string }; error?: string };
  /** The request and its answer as the program's developer would print them. */
  printed: string;
}

/** Calls the API as a customer's program does. */
export async function callApi(url: string, call: Call): Promise<Called> {
  const { key, path, body, headers = {}, timeoutMs = 120_000, method = body ? 'POST' : 'GET' } = call;
  const sent = { ...(body && { 'content-type': 'application/json' }), ...headers };
  const asked = [
    `sent at ${clock()}`,
    `${method} /v1${path}`,
    ...Object.entries({ 'x-api-key': `${key.slice(0, 8)}…`, ...sent }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    ...(body ? ['', JSON.stringify(body, null, 2)] : []),
  ];
  const from = performance.now();
  const took = () => `after ${((performance.now() - from) / 1000).toFixed(1)} s`;
  try {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: { 'x-api-key': key, ...sent },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    const got = [
      `--- answer ${took()}`,
      `${answer.status} ${answer.statusText}`.trim(),
      ...[...answer.headers].map(([name, value]) => `${name}: ${value}`),
      ...['', pretty(text)],
    ];
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text),
      printed: [...asked, '', ...got].join('\n'),
    };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const what = name === 'TimeoutError' ? 'the client gave up' : `no answer (${cause?.code ?? name})`;
    const printed = [...asked, '', `--- ${what} ${took()}`].join('\n');
    return { status: null, headers: new Headers(), body: {}, printed };
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
