import { MessageSquareText } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { noMessage as texts } from './no-message-words.ts';

export default function NoMessage({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="flex flex-1 items-center justify-center border-t border-line">
      {filtered ? (
        <Empty
          icon={<MessageSquareText />}
          {...texts.none}
          action={<Button onClick={onClear}>{texts.none.do}</Button>}
        />
      ) : (
        <Empty icon={<MessageSquareText />} {...texts.empty} href="/keys" />
      )}
    </div>
  );
}
