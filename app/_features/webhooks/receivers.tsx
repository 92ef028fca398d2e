import { Section } from '#app/_components/ui/card.tsx';
import { LanguageTabs } from '#app/_components/ui/language-tabs.tsx';
import { RECEIVERS, type ReceiverLanguage } from './receiver-samples.ts';
import { webhooks } from './words.ts';

const texts = webhooks.receiver;
const LANGUAGES = Object.keys(RECEIVERS) as [ReceiverLanguage, ...ReceiverLanguage[]];

/** A server that receives events, in each language. */
export default function Receivers() {
  return (
    <Section title={texts.title}>
      <p className="-mt-2 max-w-[72ch] text-13 text-ink-2">{texts.text}</p>
      <LanguageTabs
        languages={LANGUAGES}
        remember="wirebird.language"
        codeIn={(language) => RECEIVERS[language].trimEnd()}
        texts={texts}
      />
    </Section>
  );
}
