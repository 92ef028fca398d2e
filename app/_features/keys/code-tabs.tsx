import { LanguageTabs } from '#app/_components/ui/language-tabs.tsx';
import type { SampleParams } from './curl-command.ts';
import { LANGUAGES, sample } from './samples.ts';
import { keys } from './words.ts';

export function CodeTabs(params: SampleParams) {
  return (
    <LanguageTabs
      languages={LANGUAGES}
      remember="wirebird.language"
      codeIn={(language) => sample(language, params)}
      texts={keys.code}
    />
  );
}
