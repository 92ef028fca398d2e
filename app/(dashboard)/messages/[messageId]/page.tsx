import { MessagePanel } from '#app/_features/messages/message-panel.tsx';

export default async function MessagePage({ params }: { params: Promise<{ messageId: string }> }) {
  return <MessagePanel messageId={(await params).messageId} />;
}
