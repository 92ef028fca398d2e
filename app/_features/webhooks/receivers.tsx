'use client';

import { useState } from 'react';
import { Section } from '#app/_components/ui/card.tsx';
import { Code } from '#app/_components/ui/code.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { Tabs } from '#app/_components/ui/tabs.tsx';
import { RECEIVERS, type ReceiverLanguage } from './receiver-samples.ts';
import { webhooks } from './words.ts';

const texts = webhooks.receiver;
const LANGUAGES = Object.keys(RECEIVERS) as ReceiverLanguage[];

/** A server that receives events, in each language. */
export default function Receivers() {
  const [language, choose] = useState<ReceiverLanguage>('Node');
  const code = RECEIVERS[language];
  return (
    <Section title={texts.title}>
      <p className="-mt-2 max-w-[72ch] text-13 text-ink-2">{texts.text}</p>
      <Tabs
        value={language}
        onChange={choose}
        options={LANGUAGES.map((name) => ({ value: name, label: name }))}
        label={texts.language}
        aside={<CopyButton text={code} label={texts.copy} />}
      >
        <Code text={code.trimEnd()} />
      </Tabs>
    </Section>
  );
}
