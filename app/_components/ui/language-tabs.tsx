import { Code } from './code.tsx';
import { CopyButton } from './copy-button.tsx';
import { Tabs } from './tabs.tsx';
import { useStored } from './use-stored.ts';

/** One program in several languages. Under `remember`, this browser keeps the viewer's last choice for every page. */
export function LanguageTabs<L extends string>({
  languages,
  remember,
  codeIn,
  texts,
}: {
  /** The first one is shown until the viewer chooses. */
  languages: readonly [L, ...L[]];
  remember: string;
  codeIn: (language: L) => string;
  texts: { language: string; copy: string };
}) {
  const [stored, choose] = useStored(remember);
  const language = languages.find((one) => one === stored) ?? languages[0];
  const code = codeIn(language);
  return (
    <Tabs
      value={language}
      onChange={choose}
      options={languages.map((name) => ({ value: name, label: name }))}
      label={texts.language}
      aside={<CopyButton text={code} label={texts.copy} />}
    >
      <Code text={code} />
    </Tabs>
  );
}
