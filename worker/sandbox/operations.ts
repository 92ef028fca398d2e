import type { z } from 'zod';
import { AppError } from '#server/core/errors.ts';
import type { OPERATIONS, OperationName } from '#server/sandbox/contract.ts';
import type { Network } from './network/network.ts';
import { signPasskey } from './network/passkeys.ts';
import { groupInfo } from './network/phones.ts';
import { setRefusal } from './network/refuse-logins.ts';

/** Socket states that only older pages show. */
const OLDER_PAGE_STATES = ['CONFLICT', 'PROXYBLOCK', 'TOS_BLOCK', 'SMB_TOS_BLOCK', 'DEPRECATED_VERSION'];

type Input<K extends OperationName> = z.output<(typeof OPERATIONS)[K]['input']>;
type Output<K extends OperationName> = z.input<(typeof OPERATIONS)[K]['output']>;
type Operations = { [K in OperationName]: (input: Input<K>) => Output<K> | Promise<Output<K>> };

/** Operations that do something to a phone and return its state. */
type ActionName = {
  [K in OperationName]: Input<K> extends { phone: string }
    ? Output<'phone'> extends Output<K>
      ? K
      : never
    : never;
}[OperationName];
type Actions = { [K in ActionName]: (input: Input<K>) => void };

function actionsOn(network: Network): Actions {
  const { phones, linking, delivery, connections } = network;
  return {
    phone: () => undefined,

    scan: ({ phone, qr }) => linking.scan(phone, qr),
    enterCode: ({ phone, code }) => linking.enterCode(phone, code),
    refuseCodes: ({ phone, status }) => phones.update(phone, { codesRefused: status }),
    demandPasskey: ({ phone, demanded }) => phones.update(phone, { passkeyDemanded: demanded }),
    unlink: ({ phone, silently }) => linking.unlink(phone, silently),

    offline: ({ phone, silently }) => network.takeOffline(phone, silently),
    online: ({ phone }) => network.bringOnline(phone),
    replaced({ phone }) {
      for (const page of network.pagesOf(phone)) linking.displace(page);
    },
    streamError({ phone, error }) {
      const attrs: Record<string, string> = /^\d/.test(error) ? { code: error } : {};
      const content = /^\d/.test(error) ? [] : [{ tag: error, attrs: {} }];
      const stanza = { tag: 'stream:error', attrs, content };
      for (const page of network.pagesOf(phone)) linking.endStream(page, stanza);
    },
    showState({ phone, state }) {
      if (OLDER_PAGE_STATES.includes(state) && !network.config.olderPage) {
        const words = `The page no longer shows ${state}. Switch on the setting "olderPage" to see it.`;
        throw new AppError('invalid_parameters', words);
      }
      for (const page of network.pagesOf(phone)) page.send({ t: 'state', state });
    },
    refuse({ phone, ...refusal }) {
      setRefusal(phones, phone, refusal);
      for (const page of connections.of(phone)) page.terminate();
    },
    accept: ({ phone }) => setRefusal(phones, phone, null),
    reload({ phone }) {
      for (const page of network.pagesOf(phone)) page.send({ t: 'reload' });
    },
    drop({ phone }) {
      for (const page of network.pagesOf(phone)) page.terminate();
    },

    clearInbox: ({ phone }) => delivery.clear(phone),
    restrict({ phone, restrictions, silently }) {
      phones.update(phone, { restrictions });
      if (!silently) for (const page of connections.of(phone)) page.send({ t: 'restricted' });
    },
    setDelivery: ({ phone, deliveredMs, readMs }) => phones.update(phone, { deliveredMs, readMs }),
  };
}

/** The effect of each operation of the control API on a network. */
export function operationsOn(network: Network): Operations {
  const { phones, delivery, connections, store } = network;
  const numbersOff = () => store.keys('unregistered');
  const actions = Object.entries(actionsOn(network)).map(([name, act]) => [
    name,
    (input: { phone: string }) => {
      (act as (input: unknown) => void)(input);
      return network.state(input.phone);
    },
  ]);
  return {
    ...(Object.fromEntries(actions) as Pick<Operations, ActionName>),
    phones: () => phones.all().map(({ phone }) => network.state(phone)),

    rotateSecrets: () => ({ pages: network.linking.rotateSecrets() }),

    inbox: ({ phone, limit }) => delivery.inbox(phone, limit),
    chats: ({ phone }) => delivery.chats(phone),
    receive({ phone, from, body }) {
      phones.ensure(phone);
      return delivery.receive(phone, from, body);
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

    passkey: ({ phone }) => phones.passkeyOf(phone),
    signPasskey: ({ phone, request }) => signPasskey(phones.passkeyOf(phone), request),

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
