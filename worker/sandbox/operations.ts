import type { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import type { OPERATIONS, OperationName } from '#server/sandbox/contract.ts';
import type { Network } from './network/network.ts';
import { groupInfo } from './network/phones.ts';
import { setRefusal } from './network/refuse-logins.ts';

/** Socket states that only older pages show. */
const OLDER_PAGE_STATES = ['CONFLICT', 'PROXYBLOCK', 'TOS_BLOCK', 'SMB_TOS_BLOCK', 'DEPRECATED_VERSION'];

type Operations = {
  [K in OperationName]: (
    input: z.output<(typeof OPERATIONS)[K]['input']>,
  ) => z.input<(typeof OPERATIONS)[K]['output']> | Promise<z.input<(typeof OPERATIONS)[K]['output']>>;
};

/** The effect of each operation of the control API on a network. */
export function operationsOn(network: Network): Operations {
  const { phones, linking, delivery, connections, store } = network;
  const numbersOff = () => store.keys('unregistered');
  return {
    phones: () => phones.all().map(({ phone }) => network.state(phone)),
    phone: ({ phone }) => network.state(phone),

    scan({ phone, qr }) {
      linking.scan(phone, qr);
      return network.state(phone);
    },
    enterCode({ phone, code }) {
      linking.enterCode(phone, code);
      return network.state(phone);
    },
    refuseCodes({ phone, status }) {
      phones.update(phone, { codesRefused: status });
      return network.state(phone);
    },
    demandPasskey({ phone, demanded }) {
      phones.update(phone, { passkeyDemanded: demanded });
      return network.state(phone);
    },
    confirmPasskey({ phone }) {
      linking.confirmPasskey(phone);
      return network.state(phone);
    },
    unlink({ phone, silently }) {
      linking.unlink(phone, silently);
      return network.state(phone);
    },

    offline({ phone, silently }) {
      network.takeOffline(phone, silently);
      return network.state(phone);
    },
    online({ phone }) {
      network.bringOnline(phone);
      return network.state(phone);
    },
    replaced({ phone }) {
      for (const page of network.pagesOf(phone)) linking.displace(page);
      return network.state(phone);
    },
    streamError({ phone, error }) {
      const attrs: Record<string, string> = /^\d/.test(error) ? { code: error } : {};
      const content = /^\d/.test(error) ? [] : [{ tag: error, attrs: {} }];
      const stanza = { tag: 'stream:error', attrs, content };
      for (const page of network.pagesOf(phone)) linking.endStream(page, stanza);
      return network.state(phone);
    },
    showState({ phone, state }) {
      if (OLDER_PAGE_STATES.includes(state) && !network.config.olderPage) {
        const words = `The page no longer shows ${state}. Switch on the setting "olderPage" to see it.`;
        throw new AppError('invalid_parameters', words);
      }
      for (const page of network.pagesOf(phone)) page.send({ t: 'state', state });
      return network.state(phone);
    },
    refuse({ phone, ...refusal }) {
      setRefusal(phones, phone, refusal);
      for (const page of connections.of(phone)) page.terminate();
      return network.state(phone);
    },
    accept({ phone }) {
      setRefusal(phones, phone, null);
      return network.state(phone);
    },
    reload({ phone }) {
      for (const page of network.pagesOf(phone)) page.send({ t: 'reload' });
      return network.state(phone);
    },
    drop({ phone }) {
      for (const page of network.pagesOf(phone)) page.terminate();
      return network.state(phone);
    },

    inbox: ({ phone, limit }) => delivery.inbox(phone, limit),
    clearInbox({ phone }) {
      delivery.clear(phone);
      return network.state(phone);
    },
    chats: ({ phone }) => delivery.chats(phone),
    receive({ phone, from, body }) {
      phones.ensure(phone);
      return delivery.receive(phone, from, body);
    },
    restrict({ phone, restrictions, silently }) {
      phones.update(phone, { restrictions });
      if (!silently) for (const page of connections.of(phone)) page.send({ t: 'restricted' });
      return network.state(phone);
    },
    setDelivery({ phone, deliveredMs, readMs }) {
      phones.update(phone, { deliveredMs, readMs });
      return network.state(phone);
    },

    async addRule({ phone, rule }) {
      const stored = phones.addRule(phone, rule);
      await network.change(phone, { t: 'rules', rules: phones.pageRules(phone) });
      return stored;
    },
    rules: ({ phone }) => phones.ensure(phone).rules,
    async clearRules({ phone }) {
      const cleared = phones.clearRules(phone);
      await network.change(phone, { t: 'rules', rules: [] });
      return { cleared };
    },

    groups: ({ phone }) => phones.ensure(phone).groups,
    async addGroup({ phone, ...given }) {
      const group = phones.addGroup(phone, given);
      await network.change(phone, { t: 'group', group: groupInfo(group) });
      return group;
    },

    unregistered: numbersOff,
    addUnregistered({ numbers }) {
      for (const number of numbers) store.put('unregistered', number, true);
      return numbersOff();
    },
    removeUnregistered({ numbers }) {
      for (const number of numbers) store.delete('unregistered', number);
      return numbersOff();
    },

    config: () => network.config,
    configure: (changes) => network.configure(changes),
    diagnostics: () => ({
      missingModules: [...network.missingModules],
      pages: connections.all().map(({ phone, ref, pairingCode, passkey }) => ({
        phone,
        qrShown: ref !== undefined,
        codeFor: pairingCode?.phone,
        passkeyFor: passkey?.phone,
      })),
      journalLines: store.lines,
    }),
  };
}
