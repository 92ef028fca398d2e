import type { Metadata } from 'next';
import { SandboxPage } from '#app/_features/sandbox/sandbox-page.tsx';
import { sandbox } from '#app/_features/sandbox/words.ts';

export const metadata: Metadata = { title: sandbox.title };

export default async function Page({ params }: { params: Promise<{ numberId: string }> }) {
  return <SandboxPage numberId={(await params).numberId} />;
}
