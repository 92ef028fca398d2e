import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'playwright/test';
import { visitor } from '../dashboard-client.ts';
import type { Attacked } from './attacked.ts';

/** Sends these bytes unchanged; returns everything until the server closes. */
function exchange(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    text(socket).then(resolve, reject);
    socket.once('error', reject);
  });
}

/** Headers, paths and methods that other servers trust. */
export function headersDoNothing(attacked: () => Attacked): void {
  test('no header changes who the visitor is, which path is requested, or the method', async () => {
    const { stack, key } = attacked();
    const raw = (request: string) => exchange(stack.url, request);
    const tricks: Record<string, string>[] = [
      { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
      { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
      { 'x-middleware-subrequest': 'src/middleware:src/middleware:src/middleware' },
      { 'x-original-url': '/admin/accounts', 'x-rewrite-url': '/admin/accounts' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
      { 'x-invoke-path': '/admin/accounts', 'x-invoke-status': '200', 'x-matched-path': '/admin/accounts' },
    ];
    for (const headers of tricks) {
      const name = JSON.stringify(headers);
      const page = await visitor(stack.url, headers).get('/account');
      expect(page.status, name).toBe(307);
      expect(page.headers.get('location'), name).toMatch(/^(http:\/\/127\.0\.0\.1:\d+)?\/sign-in/);
      expect(page.headers.get('content-security-policy'), name).toContain('nonce-');
      expect((await visitor(stack.url, headers).query('admin.accounts', { search: '' })).status, name).toBe(
        401,
      );
      expect((await fetch(`${stack.url}/v1/status`, { headers })).status, name).toBe(401);
    }
    for (const override of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
      const answer = await fetch(`${stack.url}/v1/status`, {
        method: 'POST',
        headers: { 'x-api-key': key, [override]: 'GET' },
      });
      expect(answer.status, override).toBe(404);
    }
    // Duplicate headers: two keys count as no key, two lengths as no request.
    const head = 'GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    expect(await raw(`${head}x-api-key: ${key}\r\nx-api-key: wsk_test_other\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 401/,
    );
    expect(await raw(`${head}x-api-key: ${key}\r\nx-api-key: ${key}\r\n\r\n`)).toMatch(/^HTTP\/1.1 200/);
    const smuggled = 'POST /v1/messages/text HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n';
    expect(await raw(`${smuggled}Content-Length: 5\r\n\r\nabcde`)).toMatch(/^HTTP\/1.1 400/);
    expect(await raw(`${smuggled}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/);
    for (const target of ['//v1/status', '/V1/status', '/v1/%2e%2e/status', '/v1/..%2fstatus', '/v1/%zz'])
      expect(await raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`), target).not.toMatch(
        /^HTTP\/1.1 (2|5)/,
      );
  });
}
