'use client';

import { Search, X } from 'lucide-react';
import { useState } from 'react';
import { INPUT } from '#app/_components/ui/input.tsx';
import { isRequestId } from '#server/core/request-id.ts';
import { requests as texts } from './words.ts';

/** A field for an `X-Request-Id`. It searches when a whole one is entered. */
export function RequestSearch({
  requestId,
  onChange,
}: {
  requestId: string;
  onChange: (requestId: string) => void;
}) {
  const [typed, setTyped] = useState(requestId);
  const enter = (text: string) => {
    setTyped(text);
    const given = text.trim();
    if (given === '' || isRequestId(given)) onChange(given);
  };
  const wrong = typed.trim() !== '' && !isRequestId(typed.trim());
  return (
    <div className="flex min-w-[240px] flex-1 flex-col gap-1 max-sm:basis-full">
      <span className={INPUT}>
        <Search className="size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
        <input
          value={typed}
          onChange={(event) => enter(event.target.value)}
          aria-label={texts.search}
          aria-invalid={wrong || undefined}
          placeholder={texts.search}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          className="min-w-0 flex-1 bg-transparent outline-none"
        />
        {typed !== '' && (
          <button type="button" aria-label={texts.clear} onClick={() => enter('')}>
            <X className="size-3.5 text-ink-3" />
          </button>
        )}
      </span>
      {wrong && (
        <span role="alert" className="text-12 text-ink-3">
          {texts.notAnId}
        </span>
      )}
    </div>
  );
}
