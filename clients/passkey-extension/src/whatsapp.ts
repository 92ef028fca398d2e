/** Beside WhatsApp's page: the panel whose button signs. It appears only in a tab that the dashboard has opened. */
(() => {
  const [, opener] = /^#wirebird-(\d+)$/.exec(location.hash) ?? [];
  if (opener === undefined) return;
  const tab = Number(opener);

  const begin = async () => {
    const pending = (await chrome.runtime.sendMessage({ kind: 'request', tab })) as WirebirdPending | null;
    if (pending) show(pending);
  };
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void begin());
  else void begin();

  function show(pending: WirebirdPending): void {
    const { panel, words, button } = makePanel();
    words.textContent = `Wirebird (${pending.address}) asks for your passkey to link ${pending.name}.`;
    button.onclick = () => {
      button.disabled = true;
      document.dispatchEvent(new CustomEvent('wirebird-sign', { detail: JSON.stringify(pending) }));
    };
    document.addEventListener('wirebird-signed', (event) => {
      const answer = JSON.parse((event as CustomEvent<string>).detail) as {
        assertion?: WirebirdAssertion;
        error?: string;
      };
      button.disabled = false;
      if (!answer.assertion) {
        words.textContent = `Not confirmed: ${answer.error ?? 'unknown'}`;
        return;
      }
      words.textContent = 'Confirmed. Go back to Wirebird.';
      button.remove();
      void chrome.runtime.sendMessage({ kind: 'signed', tab, assertion: answer.assertion });
    });
    document.documentElement.append(panel);
    button.focus();
  }

  /** Apart from the page's styles and texts. */
  function makePanel() {
    const panel = document.createElement('div');
    panel.id = 'wirebird-passkey';
    Object.assign(panel.style, { position: 'fixed', inset: '24px 24px auto auto', zIndex: '2147483647' });
    const root = panel.attachShadow({ mode: 'open' });
    const style = document.createElement('style');
    style.textContent = `
      section { width: 300px; padding: 16px; border-radius: 14px; background: #fff; color: #1c1d22;
        font: 14px/20px system-ui, sans-serif; box-shadow: 0 0 0 1px #0002, 0 12px 40px #0004 }
      p { margin: 0 0 12px }
      button { width: 100%; min-height: 44px; border: 0; border-radius: 8px; background: #2d5bd7; color: #fff;
        font: 500 14px/20px system-ui, sans-serif; cursor: pointer }
      button:disabled { opacity: 0.6 }
      button:focus-visible { outline: 2px solid #2d5bd7; outline-offset: 2px }
      @media (prefers-color-scheme: dark) { section { background: #23242a; color: #f1f1f4 } }`;
    const section = document.createElement('section');
    const words = document.createElement('p');
    words.setAttribute('role', 'status');
    const button = document.createElement('button');
    button.textContent = 'Confirm with passkey';
    section.append(words, button);
    root.append(style, section);
    return { panel, words, button };
  }
})();
