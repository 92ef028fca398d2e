'use client';

import { LanguageTabs } from '#app/_components/ui/language-tabs.tsx';
import { SAMPLE_LANGUAGES, type SampleLanguage, withKey } from '#server/rest/reference/request-samples.ts';
import { useHeldKey } from './held-key.ts';
import { reference as texts } from './words.ts';

/** One request in all languages, with the reader's key once it is known. */
export function Samples({ samples }: { samples: Record<SampleLanguage, string> }) {
  const key = useHeldKey();
  return (
    <LanguageTabs
      languages={SAMPLE_LANGUAGES}
      remember="wirebird.reference-language"
      codeIn={(language) => (key === '' ? samples[language] : withKey(language, samples[language], key))}
      texts={{ language: texts.language, copy: texts.copyCode }}
    />
  );
}
