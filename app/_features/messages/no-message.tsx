import { MessageSquareText } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Empty } from '#app/_components/ui/card.tsx';
import { noMessage as texts } from './no-message-words.ts';

export default function NoMessage({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="flex flex-1 items-center justify-center border-t border-line">
      {filtered ? (
        <Empty
          icon={<MessageSquareText />}
          title={texts.none.title}
          action={<Button onClick={onClear}>{texts.none.do}</Button>}
        >
          {texts.none.text}
        </Empty>
      ) : (
        <Empty
          icon={<MessageSquareText />}
          title={texts.empty.title}
          action={
            <ButtonLink variant="primary" href="/keys">
              {texts.empty.do}
            </ButtonLink>
          }
        >
          {texts.empty.text}
        </Empty>
      )}
    </div>
  );
}
