import { Tag } from '#app/_components/ui/badge.tsx';
import { requests } from './words.ts';

/** The status that a request was answered with, or that its client disconnected before the answer. */
export function AnswerTag({
  request,
  words = false,
}: {
  request: { status: number; errorCode: string | null };
  /** There is room to say that the client disconnected. */
  words?: boolean;
}) {
  const { status, errorCode } = request;
  if (errorCode === 'hung_up') return <Tag tone="mute">{words ? requests.hungUp : requests.noAnswer}</Tag>;
  return (
    <Tag tone={errorCode === null ? 'ok' : 'fail'} mono>
      {status}
    </Tag>
  );
}
