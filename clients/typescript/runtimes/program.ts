import type * as wirebird from '../src/index.ts';

/** The program's input from `try-runtimes.ts`, as JSON. */
export interface Given {
  apiKey: string;
  baseUrl: string;
  /** The same product behind a proxy with faults. */
  faultyUrl: string;
  /** The prefix of this runtime's texts. */
  name: string;
  signed: { payload: string; headers: Record<string, string>; secret: string };
}

const TO = '4915228817386';
/** Through the proxy with faults. */
const FAULTY_SENDS = 20;

/** Uses the installed package on this runtime, and resolves with the failures. */
export async function tryClient(client: typeof wirebird, given: Given): Promise<string[]> {
  const wrong: string[] = [];
  const check = (what: string, holds: boolean) => {
    if (!holds) wrong.push(what);
  };
  try {
    await use(client, given, check);
  } catch (error) {
    const { cause } = error as Error;
    wrong.push(`${error} ${cause ?? ''}`);
  }
  return wrong;
}

async function use(
  { Wirebird, WirebirdError, WebhookSignatureError, errors }: typeof wirebird,
  { apiKey, baseUrl, faultyUrl, name, signed }: Given,
  check: (what: string, holds: boolean) => void,
): Promise<void> {
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: unknown) => error,
    );

  const wb = new Wirebird({ apiKey, baseUrl });
  const { id, status } = await wb.messages.sendText({ to: TO, body: `${name} 0` });
  check('a text is sent', status === 'sent');
  const listed = await wb.messages.list({ limit: 1 }).next();
  check('a list is read', listed.value?.id === id);

  const invalid = await failure(wb.messages.sendText({ to: 'Ada', body: 'x' }));
  check('an error has its class', invalid instanceof errors.invalid_parameters);
  check(
    'an error has its details',
    invalid instanceof WirebirdError && invalid.status === 400 && !invalid.mayBeSent,
  );
  const aborted = await failure(wb.status({ signal: AbortSignal.abort() }));
  check('a signal aborts a call', aborted instanceof errors.aborted);

  const { payload, headers, secret } = signed;
  const event = await wb.webhooks.verify(payload, new Headers(headers), secret);
  check('a signed event is read', event.type === 'message.sent');
  const forged = await failure(wb.webhooks.verify(`${payload} `, headers, secret));
  check('a changed event is refused', forged instanceof WebhookSignatureError);

  const patience = { maxAttempts: 40, attemptTimeoutMs: 1000 };
  const { messages } = new Wirebird({ apiKey, baseUrl: faultyUrl, ...patience });
  const sends = Array.from({ length: FAULTY_SENDS }, async (_, n) => {
    const sent = await failure(messages.sendText({ to: TO, body: `${name} ${n + 1}` }));
    check(`message ${n + 1} is sent despite faults: ${sent}`, sent === null);
  });
  await Promise.all(sends);
}

/** The texts that the recipient gets from a runtime, each once. */
export const textsOf = (name: string): string[] =>
  Array.from({ length: FAULTY_SENDS + 1 }, (_, n) => `${name} ${n}`);
