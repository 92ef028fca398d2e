/** A client of the dashboard with cookies, without a browser. */
export interface DashboardClient {
  /** The cookies that a browser would store from `Set-Cookie`. */
  setCookies: string[];
  cookie: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  query(path: string, input?: unknown): Promise<Response>;
  mutate(path: string, input?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** A visitor who is not signed in. `headers` are added to every request, as a proxy would. */
export function visitor(url: string, headers: Record<string, string> = {}, cookie = ''): DashboardClient {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...headers, ...(cookie ? { cookie } : {}), ...(init.headers as Record<string, string>) },
    });
  return {
    setCookies: [],
    cookie,
    get: (path, more = {}) => ask(path, { headers: more }),
    query: (path, input) =>
      ask(
        `/api/trpc/${path}${input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`}`,
      ),
    mutate: (path, input, more = {}) =>
      ask(`/api/trpc/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        body: input === undefined ? null : JSON.stringify(input),
      }),
  };
}

/** Signs in as the form does, in a browser with some cookies. Returns `status` and `answer`. */
export async function signIn(
  url: string,
  who: { email: string; password: string },
  headers: Record<string, string> = {},
  kept = '',
): Promise<DashboardClient & { status: number; answer: string }> {
  const first = await visitor(url, headers).get('/api/auth/csrf');
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const before = first.headers.getSetCookie();
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [jar(before), kept].filter(Boolean).join('; '),
    },
    body: new URLSearchParams({ ...who, csrfToken, callbackUrl: '/', json: 'true' }),
  });
  const setCookies = [...before, ...answer.headers.getSetCookie()];
  const made = visitor(url, headers, jar(setCookies));
  return { ...made, setCookies, status: answer.status, answer: await answer.text() };
}

/** Signs out as the menu does, with the given session cookie. */
export async function signOut(url: string, session: string): Promise<void> {
  const first = await visitor(url).get('/api/auth/csrf');
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  await fetch(`${url}/api/auth/signout`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `${jar(first.headers.getSetCookie())}; ${session}`,
    },
    body: new URLSearchParams({ csrfToken, callbackUrl: '/', json: 'true' }),
  });
}

function jar(setCookies: string[]): string {
  return setCookies.map((line) => line.split(';', 1)[0]).join('; ');
}
