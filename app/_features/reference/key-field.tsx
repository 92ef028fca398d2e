'use client';

import { KeyRound } from 'lucide-react';
import { useId } from 'react';
import { INPUT_BOX } from '#app/_components/ui/input-box.ts';
import { holdKey, isSandboxKey, useHeldKey } from './held-key.ts';
import { reference as texts } from './words.ts';

/** Where the reader pastes a key, for the samples and for trying requests. */
export function KeyField() {
  const key = useHeldKey();
  const id = useId();
  return (
    <div className="docs-key">
      <label htmlFor={id}>{texts.key.label}</label>
      <span className={INPUT_BOX}>
        <KeyRound className="size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
        <input
          id={id}
          value={key}
          onChange={(event) => holdKey(event.target.value)}
          placeholder="wsk_test_…"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          aria-describedby={`${id}-about`}
          className="min-w-0 flex-1 bg-transparent font-mono text-12 outline-none"
        />
      </span>
      <span id={`${id}-about`} className="text-12 text-ink-3" role="status">
        {key === '' ? texts.key.help : isSandboxKey(key) ? texts.key.sandbox : texts.key.real}
      </span>
    </div>
  );
}
