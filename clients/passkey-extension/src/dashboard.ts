/** In the dashboard: takes its request, and gives it the answer. */
(() => {
  let pending: WirebirdPending | null = null;
  const say = (message: object) =>
    window.postMessage({ wirebird: 'extension', ...message }, window.location.origin);

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window || data?.wirebird !== 'page') return;
    if (data.kind === 'hello') say({ kind: 'here' });
    if (data.kind !== 'sign') return;
    const { request, name } = data as WirebirdPending;
    pending = { request, name, address: window.location.origin };
    void chrome.runtime.sendMessage({ kind: 'open' });
  });

  chrome.runtime.onMessage.addListener((message, _, reply) => {
    if (message.kind === 'request') reply(pending);
    if (message.kind !== 'signed') return;
    if (pending) say({ kind: 'signed', assertion: message.assertion });
    pending = null;
    reply(true);
    return;
  });
  say({ kind: 'here' });
})();
