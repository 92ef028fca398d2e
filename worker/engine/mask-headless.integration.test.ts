import { expect, test } from 'vitest';
import { temporaryEngine } from '#worker/testing/engine.ts';
import { userAgentWithMetadata } from './user-agent.ts';

test('the page sees the same language, brands and screen as in a plain Chrome', async () => {
  await using engine = await temporaryEngine();
  const { client } = await engine.link('num_plain', '999000000001');
  const page = client().pupPage;
  const { userAgent, userAgentMetadata } = userAgentWithMetadata(engine.browser.version);
  const seen = await page?.evaluate(async () => {
    interface AgentData {
      brands: object[];
      platform: string;
      getHighEntropyValues(hints: string[]): Promise<{ fullVersionList: object[]; architecture: string }>;
    }
    const data = (navigator as unknown as { userAgentData: AgentData }).userAgentData;
    const { fullVersionList, architecture } = await data.getHighEntropyValues([
      'fullVersionList',
      'architecture',
    ]);
    return {
      language: navigator.language,
      languages: navigator.languages,
      locale: Intl.DateTimeFormat().resolvedOptions().locale,
      userAgent: navigator.userAgent,
      brands: data.brands,
      platform: data.platform,
      fullVersionList,
      architecture,
      chrome: typeof (window as { chrome?: unknown }).chrome,
      webdriver: navigator.webdriver,
      screen: [screen.width, screen.height],
    };
  });
  expect(seen).toEqual({
    language: 'en-US',
    languages: ['en-US', 'en'],
    locale: 'en-US',
    userAgent,
    brands: userAgentMetadata.brands,
    platform: userAgentMetadata.platform,
    fullVersionList: userAgentMetadata.fullVersionList,
    architecture: userAgentMetadata.architecture,
    chrome: 'object',
    webdriver: false,
    screen: [1920, 1080],
  });

  const asked = page?.waitForRequest((request) => request.url().endsWith('/sandbox/config?plain'));
  await page?.evaluate(async () => void (await fetch('/sandbox/config?plain')));
  const headers = (await asked)?.headers();
  expect(headers).toMatchObject({ 'user-agent': userAgent });
  expect(headers?.['sec-ch-ua']).toContain(`"Google Chrome";v="${engine.browser.version?.split('.')[0]}"`);
  expect(headers?.['accept-language']).toMatch(/^en-US,en/);
});
