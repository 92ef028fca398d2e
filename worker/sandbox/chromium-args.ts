/** The host that the sandbox simulates. */
export const SITE_HOST = 'web.whatsapp.com';

/**
 * The arguments that direct a browser to the sandbox instead of WhatsApp: the site's name resolves to the sandbox's port,
 * no other name resolves, and its certificate is accepted by its key. The page keeps its real origin.
 */
export function chromiumArgs({ httpsPort, spki }: { httpsPort: number; spki: string }): string[] {
  return [
    `--host-resolver-rules=MAP ${SITE_HOST}:443 127.0.0.1:${httpsPort}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    `--ignore-certificate-errors-spki-list=${spki}`,
    // A document without an address counts as public, and could not reach loopback.
    `--ip-address-space-overrides=127.0.0.1:${httpsPort}=public`,
  ];
}
