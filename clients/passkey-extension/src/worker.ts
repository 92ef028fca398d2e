/** Connects the dashboard's tab with WhatsApp's. It stores nothing and makes no request. */
(() => {
  const SITE = 'https://web.whatsapp.com/';

  chrome.runtime.onMessage.addListener((message, { tab }, reply) => {
    if (message.kind === 'open') void chrome.tabs.create({ url: `${SITE}#wirebird-${tab?.id}` });
    else if (message.kind === 'request') {
      void chrome.tabs.sendMessage(message.tab, message).then(reply, () => reply(null));
      return true;
    } else {
      void chrome.tabs.sendMessage(message.tab, message).then(async () => {
        await chrome.tabs.update(message.tab, { active: true });
        if (tab?.id !== undefined) await chrome.tabs.remove(tab.id);
      });
    }
    return;
  });
})();
