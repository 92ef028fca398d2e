'use client';

import { useSyncExternalStore } from 'react';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Tabs } from '#app/_components/ui/tabs.tsx';
import type { SampleParams } from './curl-command.ts';
import { LANGUAGES, type Language, sample } from './samples.ts';
import { keys } from './words.ts';

const KEY = 'wirebird.language';
const listeners = new Set<() => void>();

/** The viewer's last choice of language, for every page. */
function useLanguage(): [Language, (language: Language) => void] {
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(KEY),
    () => null,
  );
  const choose = (language: Language) => {
    localStorage.setItem(KEY, language);
    for (const listener of listeners) listener();
  };
  return [LANGUAGES.find((language) => language === stored) ?? 'curl', choose];
}

export function CodeTabs(params: SampleParams) {
  const [language, choose] = useLanguage();
  const code = sample(language, params);
  return (
    <Tabs
      value={language}
      onChange={choose}
      options={LANGUAGES.map((name) => ({ value: name, label: name }))}
      label={keys.code.language}
      aside={<CopyButton text={code} label={keys.code.copy} />}
    >
      <Code text={code} />
    </Tabs>
  );
}
