import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { MessagesFrame } from '#app/_features/messages/messages-frame.tsx';
import { messages } from '#app/_features/messages/words.ts';

export const metadata: Metadata = { title: messages.title };

/** The list keeps its position while messages open beside it. */
export default function MessagesLayout({ children }: { children: ReactNode }) {
  return <MessagesFrame>{children}</MessagesFrame>;
}
