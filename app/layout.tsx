import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { themeOf } from '#app/_features/shell/theme.ts';
import { readChoice } from '#server/auth/read-choice.ts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'Wirebird', template: '%s · Wirebird' },
  description: 'Send WhatsApp messages from your own number over a plain REST API.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f3f5f6' },
    { media: '(prefers-color-scheme: dark)', color: '#0a0c0e' },
  ],
};

/** Reading the cookie makes every page dynamic, which the nonce of the content policy requires. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeOf(await readChoice('theme'));
  return (
    <html
      lang="en"
      data-theme={theme === 'system' ? undefined : theme}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
    >
      <body>{children}</body>
    </html>
  );
}
