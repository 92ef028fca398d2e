/** n8n's public API, as far as the try uses it. */
import { until } from '../test/product.mts';
import type { N8n } from './n8n.mts';
import type { Workflow } from './workflows.mts';

const EXECUTION_WITHIN_MS = 120_000;
const SCOPES = [
  ...['workflow:create', 'workflow:update', 'workflow:activate', 'workflow:deactivate'],
  ...['credential:create', 'credential:read', 'execution:read', 'execution:list', 'execution:retry'],
];

export const OWNER = {
  email: 'marta@nordlicht.example',
  firstName: 'Marta',
  lastName: 'Sander',
  password: 'A kingfisher dives at 6',
};

/** An item that a node returned, or the error that ended its execution. */
interface NodeRun {
  error?: { message: string; description?: string | null };
  data?: { main: ({ json: Record<string, unknown> }[] | null)[] };
}

export interface Execution {
  id: string;
  status: 'success' | 'error' | 'running' | 'new' | 'waiting' | 'canceled' | 'crashed';
  mode: string;
  customData?: Record<string, string>;
  data: { resultData: { runData: Record<string, NodeRun[]>; lastNodeExecuted?: string } };
}

/** What the node returned in its last run, on one of its outputs. */
export const itemsOf = ({ data }: Execution, node: string, output = 0): Record<string, unknown>[] =>
  (data.resultData.runData[node]?.at(-1)?.data?.main[output] ?? []).map(({ json }) => json);

/** With what the node failed in its last run. */
export const errorOf = ({ data }: Execution, node: string) => data.resultData.runData[node]?.at(-1)?.error;

export class N8nApi {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  private constructor(url: string, key: string) {
    this.#url = `${url}/api/v1`;
    this.#headers = { 'x-n8n-api-key': key, 'content-type': 'application/json' };
  }

  /** Makes n8n's first user, and a key of the API for it. */
  static async signUp({ url }: N8n): Promise<N8nApi> {
    const headers = { 'content-type': 'application/json' };
    const owner = await call(`${url}/rest/owner/setup`, 'POST', headers, OWNER);
    const cookie = owner.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const wanted = { label: 'Try', expiresAt: null, scopes: SCOPES };
    const made = await call(`${url}/rest/api-keys`, 'POST', { ...headers, cookie }, wanted);
    const { data } = (await made.json()) as { data: { rawApiKey: string } };
    return new N8nApi(url, data.rawApiKey);
  }

  /** Returns the ID of the credential. */
  async createCredential(name: string, data: { baseUrl: string; apiKey: string }): Promise<string> {
    const { id } = await this.#json<{ id: string }>('POST', '/credentials', {
      name,
      type: 'wirebirdApi',
      data,
    });
    return id;
  }

  testCredential(id: string): Promise<{ status: 'OK' | 'Error'; message: string }> {
    return this.#json('POST', `/credentials/${id}/test`);
  }

  /** Returns the ID of the workflow. */
  async createWorkflow(workflow: Workflow): Promise<string> {
    return (await this.#json<{ id: string }>('POST', '/workflows', workflow)).id;
  }

  async updateWorkflow(id: string, workflow: Workflow): Promise<void> {
    await this.#json('PUT', `/workflows/${id}`, workflow);
  }

  async publish(id: string): Promise<void> {
    await this.#json('POST', `/workflows/${id}/publish`, {});
  }

  async unpublish(id: string): Promise<void> {
    await this.#json('POST', `/workflows/${id}/unpublish`, {});
  }

  /** The workflow's execution number `count`, counted from its first, once it has ended. */
  async execution(workflowId: string, count: number): Promise<Execution> {
    const ended = await until(
      async () => {
        const { data } = await this.#json<{ data: Execution[] }>(
          'GET',
          `/executions?workflowId=${workflowId}`,
        );
        const done = data.filter(({ status }) => !['new', 'running', 'waiting'].includes(status));
        return done.length >= count ? done : null;
      },
      EXECUTION_WITHIN_MS,
      250,
    );
    // The newest is the first.
    const id = ended.at(-count)?.id;
    return this.#json<Execution>('GET', `/executions/${id}?includeData=true`);
  }

  /** Retries an execution that failed, with the workflow as it is now, and returns the new execution. */
  async retry(executionId: string): Promise<Execution> {
    const path = `/executions/${executionId}/retry`;
    const { id } = await this.#json<{ id: string }>('POST', path, { loadWorkflow: true });
    return this.#json<Execution>('GET', `/executions/${id}?includeData=true`);
  }

  async #json<T>(method: string, path: string, body?: object): Promise<T> {
    return (await (await call(this.#url + path, method, this.#headers, body)).json()) as T;
  }
}

async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Response> {
  const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
