'use client';

import { useSyncExternalStore } from 'react';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Tabs } from '#app/_components/ui/tabs.tsx';
import { SAMPLE_LANGUAGES, type SampleLanguage, withKey } from '#server/rest/reference/request-samples.ts';
import { useHeldKey } from './held-key.ts';
import { reference as texts } from './words.ts';

const CHOICE = 'wirebird.reference-language';
const listeners = new Set<() => void>();

/** The reader's last choice of language, for all samples at once. */
function useLanguage(): [SampleLanguage, (language: SampleLanguage) => void] {
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(CHOICE),
    () => null,
  );
  const choose = (language: SampleLanguage) => {
    localStorage.setItem(CHOICE, language);
    for (const listener of listeners) listener();
  };
  return [SAMPLE_LANGUAGES.find((language) => language === stored) ?? 'curl', choose];
}

/** One request in all languages, with the reader's key once it is known. */
export function Samples({ samples }: { samples: Record<SampleLanguage, string> }) {
  const [language, choose] = useLanguage();
  const key = useHeldKey();
  const code = key === '' ? samples[language] : withKey(language, samples[language], key);
  return (
    <Tabs
      value={language}
      onChange={choose}
      options={SAMPLE_LANGUAGES.map((name) => ({ value: name, label: name }))}
      label={texts.language}
      aside={<CopyButton text={code} label={texts.copyCode} />}
    >
      <Code text={code} />
    </Tabs>
  );
}
