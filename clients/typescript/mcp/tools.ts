import document from '../../openapi.json' with { type: 'json' };
import { type SendOptions, type Wirebird, WirebirdError } from '../src/index.ts';

type Arguments = Record<string, unknown>;

interface Tool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; properties: Record<string, object>; required?: string[] };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
  run(wirebird: Wirebird, args: Arguments, signal: AbortSignal): Promise<unknown>;
}

/** What an assistant reads as the result of a tool. */
export interface ToolResult {
  content: { type: 'text'; text: string }[];
  isError?: boolean;
  [more: string]: unknown;
}

const KINDS = ['text', 'image', 'document', 'location', 'contact', 'audio'] as const;
type Kind = (typeof KINDS)[number];

const METHODS = {
  text: 'sendText',
  image: 'sendImage',
  document: 'sendDocument',
  location: 'sendLocation',
  contact: 'sendContact',
  audio: 'sendAudio',
} as const satisfies Record<Kind, keyof Wirebird['messages']>;

const IDEMPOTENCY_KEY = {
  type: 'string',
  description:
    'A name for this one message. After an error whose mayBeSent is true, repeat the call with the same key: the message is not sent twice.',
};

/** The tools. `dryRun`: a send only checks its request, and sends nothing. */
export function toolsOf({ dryRun }: { dryRun: boolean }): Tool[] {
  return [...KINDS.map((kind) => sendTool(kind, dryRun)), getMessage, numberStatus];
}

/** Runs a tool, and turns an error of the API into a result that says what to do. */
export async function runTool(
  tool: Tool,
  call: { wirebird: Wirebird; args: Arguments; signal: AbortSignal },
): Promise<ToolResult> {
  try {
    return resultOf(await tool.run(call.wirebird, call.args, call.signal));
  } catch (error) {
    if (!(error instanceof WirebirdError)) throw error;
    const { code, message, mayBeSent, messageId, idempotencyKey, retryAfterSeconds } = error;
    const details = { mayBeSent, messageId, idempotencyKey, retryAfterSeconds };
    return { ...resultOf({ code, error: message, ...details }), isError: true };
  }
}

const resultOf = (value: unknown): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

function sendTool(kind: Kind, dryRun: boolean): Tool {
  const { summary, description, requestBody } = document.paths[`/messages/${kind}`].post;
  const schema = requestBody.content['application/json'].schema;
  const { token: _token, ...properties }: Record<string, object> = schema.properties;
  const mode = dryRun ? 'Dry run: checks the request, and sends nothing.' : 'Sends a real message.';
  return {
    name: `send_${kind}`,
    description: `${summary} on WhatsApp. ${description} ${mode}`,
    inputSchema: {
      type: 'object',
      properties: { ...properties, idempotencyKey: IDEMPOTENCY_KEY },
      required: schema.required,
    },
    annotations: { readOnlyHint: dryRun, destructiveHint: false, openWorldHint: true },
    async run(wirebird, { idempotencyKey, ...body }, signal) {
      const send = wirebird.messages[METHODS[kind]] as (body: Arguments, options: SendOptions) => unknown;
      // An assistant may give a number as a key, or null for none.
      const isNamed = idempotencyKey !== undefined && idempotencyKey !== null;
      const named = isNamed ? { idempotencyKey: String(idempotencyKey) } : {};
      // Nothing that an assistant adds can turn a dry run off. A real send refuses an option among the fields.
      const fields = Object.entries(body).filter(([field]) => !dryRun || field in properties);
      const result = await send(Object.fromEntries(fields), { ...named, dryRun, signal });
      return dryRun ? { ...(result as object), note: DRY_RUN_NOTE } : result;
    },
  };
}

const DRY_RUN_NOTE =
  'Dry run: nothing was sent. To send, the person who runs this server starts it with --send.';

const READS = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };

const getMessage: Tool = {
  name: 'get_message',
  description: 'Get the current state of a message by its ID.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string', description: 'Such as msg_01kam2x8q0v3h7t5n9c4w6r1e2.' } },
    required: ['id'],
  },
  annotations: READS,
  run: (wirebird, { id }, signal) => wirebird.messages.get(String(id), { signal }),
};

const numberStatus: Tool = {
  name: 'number_status',
  description: 'Get the state of the WhatsApp number that sends.',
  inputSchema: { type: 'object', properties: {} },
  annotations: READS,
  run: (wirebird, _args, signal) => wirebird.status({ signal }),
};
