/**
 * Posts to next-auth's own endpoints without its client library, which would add a tenth to the page's code. The
 * token ties the request to this browser.
 */
export async function postToAuth(
  path: 'callback/credentials' | 'signout',
  fields: Record<string, string> = {},
): Promise<{ ok: boolean; error: string | null }> {
  const { csrfToken } = (await (await fetch('/api/auth/csrf', { cache: 'no-store' })).json()) as {
    csrfToken: string;
  };
  const answer = await fetch(`/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, csrfToken, callbackUrl: '/', json: 'true' }),
  });
  const { url } = (await answer.json()) as { url?: string };
  const error = url ? new URL(url, window.location.href).searchParams.get('error') : null;
  return { ok: answer.ok, error };
}
