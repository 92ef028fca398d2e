/** What the nodes use of n8n, for tests without it. */
import { createRequire } from 'node:module';
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

const require = createRequire(import.meta.url);
const { NodeApiError } = require('n8n-workflow') as typeof import('n8n-workflow');
const built = <T,>(file: string): T => require(`../dist/${file}`);
export const { WirebirdApi } = built<typeof import('../credentials/WirebirdApi.credentials.ts')>(
  'credentials/WirebirdApi.credentials.js',
);
const { Wirebird } = built<typeof import('../nodes/Wirebird/Wirebird.node.ts')>(
  'nodes/Wirebird/Wirebird.node.js',
);
const { WirebirdTrigger } = built<typeof import('../nodes/WirebirdTrigger/WirebirdTrigger.node.ts')>(
  'nodes/WirebirdTrigger/WirebirdTrigger.node.js',
);

export interface Credentials {
  baseUrl: string;
  apiKey: string;
}

/** An execution. A retry of it in n8n has another `id` and the same `customData`. */
export interface Execution {
  id: string | undefined;
  customData: Map<string, string>;
}

let executions = 0;
export const newExecution = (): Execution => ({ id: String(++executions), customData: new Map() });
export const retryOf = ({ customData }: Execution): Execution => ({ ...newExecution(), customData });

/** A node's functions that do not depend on what it does. */
function common(credentials: Credentials, execution: Execution, nodeId: string) {
  const node = { id: nodeId, name: 'Wirebird', type: 'n8n-nodes-wirebird.wirebird', typeVersion: 1 };
  return {
    getNode: () => ({ ...node, position: [0, 0], parameters: {} }),
    getWorkflow: () => ({ id: 'workflow-of-tests', name: 'Test', active: true }),
    getInstanceId: () => `instance-${process.pid}-${performance.timeOrigin}`,
    getExecutionId: () => execution.id,
    getTimezone: () => 'Europe/Berlin',
    getCredentials: async () => ({ ...credentials }),
    customData: execution.customData,
    helpers: {
      httpRequestWithAuthentication: (_type: string, options: HttpOptions) =>
        httpRequest(credentials, options),
      returnJsonArray: (items: IDataObject[]) => items.map((json) => ({ json })),
    },
  };
}

interface HttpOptions {
  method: string;
  url: string;
  headers: Record<string, string>;
  qs?: Record<string, string>;
  body?: unknown;
  timeout: number;
  disableFollowRedirect?: boolean;
}

async function httpRequest(
  credentials: Credentials,
  { method, url, headers, qs, body, timeout, disableFollowRedirect }: HttpOptions,
) {
  const given = Object.entries(qs ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const query = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  const { headers: signing = {} } = new WirebirdApi().authenticate.properties;
  const authenticated = Object.entries(signing).map(([name, text]) => [
    name,
    evaluate(String(text), credentials),
  ]);
  const answer = await fetch(url + query, {
    method,
    headers: { ...headers, ...Object.fromEntries(authenticated) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
    redirect: disableFollowRedirect ? 'manual' : 'follow',
  }).catch((error: Error) => {
    const { code = '' } = (error.cause ?? {}) as { code?: string };
    throw new NodeApiError({ name: 'Wirebird' } as never, {
      message: error.message,
      // n8n's client gives this code for every lost connection.
      code: code.startsWith('E') ? code : 'ECONNRESET',
    });
  });
  return {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: parsed(await answer.text()),
  };
}

/** n8n's client gives what is not JSON as a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An expression of a credential: `=text {{code}}`. */
export const evaluate = (expression: string, $credentials: Credentials): string =>
  expression
    .replace(/^=/, '')
    .replace(/{{(.+?)}}/g, (_, code) => new Function('$credentials', `return ${code}`)($credentials));

/** Runs the Wirebird node once for each item's parameters, and changes failed items as n8n does. */
export async function runNode(
  credentials: Credentials,
  items: IDataObject[],
  options: { execution?: Execution; runIndex?: number; continueOnFail?: boolean; nodeId?: string } = {},
): Promise<INodeExecutionData[]> {
  const { execution = newExecution(), runIndex = 0, continueOnFail = false, nodeId = 'node-1' } = options;
  const node = new Wirebird();
  const functions = {
    ...common(credentials, execution, nodeId),
    getInputData: () => items.map(() => ({ json: {} })),
    getNodeParameter: (name: string, itemIndex: number) =>
      parameter(node.description.properties, items[itemIndex] ?? {}, name),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
    continueOnFail: () => continueOnFail,
  };
  const [output = []] = await node.execute.call(functions as never);
  for (const item of output) if (item.error) item.json = { error: item.error.message };
  return output;
}

/** Whether n8n gives the item to the error output of a node that has one. */
export const takesErrorOutput = ({ json, error }: INodeExecutionData): boolean =>
  error !== undefined ||
  (Boolean(json.error) && Object.keys(json).every((key) => ['error', 'message', 'details'].includes(key)));

/** A parameter's value: given, or the default of the field that is shown. */
function parameter(properties: INodeProperties[], given: IDataObject, name: string): unknown {
  if (name in given) return given[name];
  const field = properties.find((one) => {
    const { show = {} } = one.displayOptions ?? {};
    return (
      one.name === name &&
      Object.entries(show).every(([key, values]) =>
        (values as unknown[]).includes(parameter(properties, given, key)),
      )
    );
  });
  if (!field) throw new Error(`no field shows ${name}`);
  return field.default;
}

/** The trigger in a workflow, whose static data outlives each activation. */
export class TriggerInWorkflow {
  readonly #node = new WirebirdTrigger();
  readonly #credentials: Credentials;
  readonly url: string;
  events: string[];
  staticData: IDataObject = {};

  constructor(credentials: Credentials, url: string, events: string[]) {
    this.#credentials = credentials;
    this.url = url;
    this.events = events;
  }

  #functions(more: object = {}) {
    return {
      ...common(this.#credentials, newExecution(), 'trigger-1'),
      getWorkflowStaticData: () => this.staticData,
      getNodeWebhookUrl: () => this.url,
      getNodeParameter: () => this.events,
      ...more,
    } as never;
  }

  get exists(): Promise<boolean> {
    return this.#node.webhookMethods.default.checkExists.call(this.#functions());
  }

  /** As n8n does it. */
  async activate(): Promise<void> {
    if (!(await this.exists)) await this.#node.webhookMethods.default.create.call(this.#functions());
  }

  deactivate(): Promise<boolean> {
    return this.#node.webhookMethods.default.delete.call(this.#functions());
  }

  /** A request to its address: the items that start the workflow, or the status of a refusal. */
  async receive(
    headers: object,
    rawBody: Buffer,
  ): Promise<{ items: INodeExecutionData[] } | { status: number }> {
    let refused = 0;
    const response = {
      status: (code: number) => {
        refused = code;
        return response;
      },
      send: () => response,
      end: () => response,
    };
    const { workflowData } = await this.#node.webhook.call(
      this.#functions({
        getRequestObject: () => ({ rawBody }),
        getResponseObject: () => response,
        getHeaderData: () => headers,
        getBodyData: () => JSON.parse(rawBody.toString()),
      }),
    );
    return workflowData ? { items: workflowData[0] ?? [] } : { status: refused };
  }
}
