import { Search, X } from 'lucide-react';
import { useState } from 'react';
import { INPUT_BOX } from '#app/_components/ui/input-box.ts';
import { isRequestId } from '#server/core/request-id.ts';
import { type Filters, isRecipientPart } from './filters.ts';
import { requests as texts } from './words.ts';

interface Searched {
  requestId: string | undefined;
  recipient: string | undefined;
}

/** A field for a whole `X-Request-Id`, or for a part of the recipient of a refused request. */
export function RequestSearch({
  filters,
  onChange,
}: {
  filters: Filters;
  onChange: (searched: Searched) => void;
}) {
  const given = filters.requestId ?? filters.recipient ?? '';
  const [typed, setTyped] = useState(given);
  // Another search in the address than the one before comes from this field, or from outside (Back, a link).
  const [before, setBefore] = useState(given);
  if (given !== before) {
    setBefore(given);
    const own = searchedOf(typed.trim());
    if (given !== (own?.requestId?.toLowerCase() ?? own?.recipient ?? '')) setTyped(given);
  }
  const enter = (text: string) => {
    setTyped(text);
    const searched = searchedOf(text.trim());
    if (searched) onChange(searched);
  };
  const wrong = searchedOf(typed.trim()) === null;
  return (
    <div className="flex min-w-[240px] flex-1 flex-col gap-1 max-sm:basis-full">
      <span className={INPUT_BOX}>
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

/** What a text searches for; null if it is neither. */
function searchedOf(text: string): Searched | null {
  const nothing = { requestId: undefined, recipient: undefined };
  if (text === '') return nothing;
  if (isRequestId(text)) return { ...nothing, requestId: text };
  return isRecipientPart(text) ? { ...nothing, recipient: text } : null;
}
