import { MessagePanel } from '#app/_components/messages/message-panel.tsx';

export default async function MessagePage({ params }: { params: Promise<{ messageId: string }> }) {
  return <MessagePanel messageId={(await params).messageId} />;
}
