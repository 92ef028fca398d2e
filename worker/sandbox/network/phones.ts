import crypto from 'node:crypto';
import { AppError } from '#server/core/errors.ts';
import { type Group, Restrictions } from '#server/sandbox/contract.ts';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import type { Action, Rule, StoredRule } from '#server/sandbox/rule.ts';
import type { GroupInfo, PageRule } from '../page/protocol.ts';
import type { Account, Store, StoredPasskey } from '../store.ts';
import { newPasskey } from './passkeys.ts';

/** Rules that the server applies itself; the others apply inside the page. */
const ON_SERVER: readonly Action[] = ['refuse', 'not-on-whatsapp'];

// Numbers reserved for fiction: members of the default groups of every phone.
const MEMBERS = ['12025550101', '12025550102', '12025550103'];

/** `<digits>@c.us`, or a group id unchanged. */
export const chatIdOf = (recipient: string): string =>
  recipient.includes('@') ? recipient : `${recipient}@c.us`;

/** The virtual phones, with their accounts, groups and rules. */
export class Phones {
  readonly #store: Store;
  readonly #config: () => NetworkConfig;

  constructor(store: Store, config: () => NetworkConfig) {
    this.#store = store;
    this.#config = config;
  }

  all(): Account[] {
    return this.#store.list('account');
  }

  /** Throws `not_found` for a phone that was never used. */
  get(phone: string): Account {
    const account = this.#store.get('account', phone);
    if (account) return account;
    throw new AppError(
      'not_found',
      `The sandbox has no phone ${phone} yet. It is created when it first scans a QR.`,
    );
  }

  /** The phone's account, created on first use with two groups. */
  ensure(phone: string): Account {
    const known = this.#store.get('account', phone);
    if (known) return known;
    const { deliveredMs, readMs } = this.#config();
    const account: Account = {
      phone,
      name: `Sandbox ${phone.slice(-4)}`,
      reach: 'online',
      passkeyDemanded: false,
      deliveredMs,
      readMs,
      groups: ['Customers', 'Team'].map((name) => newGroup(phone, name)),
      rules: [],
      repeats: 0,
    };
    this.#store.put('account', phone, account);
    return account;
  }

  update(phone: string, changes: Partial<Account>): Account {
    const account = { ...this.ensure(phone), ...changes };
    this.#store.put('account', phone, account);
    return account;
  }

  /** The phone's passkey, made on first use. */
  passkeyOf(phone: string): StoredPasskey {
    const passkey = this.ensure(phone).passkey ?? newPasskey(phone);
    this.update(phone, { passkey });
    return passkey;
  }

  /** Throws `already_exists` if the phone is in a group with this id. */
  addGroup(
    phone: string,
    given: { name: string; id?: string | undefined; participants?: string[] | undefined },
  ): Group {
    const { groups } = this.ensure(phone);
    const group = newGroup(phone, given.name, given);
    if (groups.some(({ id }) => id === group.id)) {
      throw new AppError(
        'already_exists',
        `Phone ${phone} is already in the group ${group.id}. Give another name or id.`,
      );
    }
    this.update(phone, { groups: [...groups, group] });
    return group;
  }

  /** The current restrictions: a timelock and a cap end at their time. */
  restrictions(phone: string): Restrictions {
    const now = Date.now();
    const { timelock, cap, checkpoint } = this.get(phone).restrictions ?? Restrictions.parse({});
    return {
      timelock: timelock && timelock.endsAt > now ? timelock : null,
      cap: cap && cap.endsAt > now ? cap : null,
      checkpoint,
    };
  }

  addRule(phone: string, rule: Rule): StoredRule {
    const stored: StoredRule = { id: crypto.randomUUID(), left: rule.times, ...rule };
    this.update(phone, { rules: [...this.ensure(phone).rules, stored] });
    return stored;
  }

  clearRules(phone: string): number {
    const cleared = this.ensure(phone).rules.length;
    this.update(phone, { rules: [] });
    return cleared;
  }

  /** Uses a rule once; false if it is used up. A used-up rule is deleted. */
  spendRule(phone: string, ruleId: string): boolean {
    const { rules } = this.get(phone);
    if (!rules.some(({ id }) => id === ruleId)) return false;
    const rest = rules.map((rule) => (rule.id === ruleId ? { ...rule, left: rule.left - 1 } : rule));
    this.update(phone, { rules: rest.filter(({ left }) => left > 0) });
    return true;
  }

  /** Uses a rule that the server applies, for a message or a request about this chat. */
  takeRule(phone: string, action: Action, chatId: string): StoredRule | undefined {
    const rule = this.get(phone).rules.find(
      (r) => r.action === action && (r.to === undefined || chatIdOf(r.to) === chatId),
    );
    if (rule) this.spendRule(phone, rule.id);
    return rule;
  }

  pageRules(phone: string): PageRule[] {
    return this.get(phone)
      .rules.filter(({ action }) => !ON_SERVER.includes(action))
      .map(({ action, to, ...rule }) => ({
        ...rule,
        action: action as PageRule['action'],
        to: to && chatIdOf(to),
      }));
  }

  isRegistered(phone: string): boolean {
    return this.#store.get('unregistered', phone) === undefined;
  }
}

export const groupInfo = ({ id, name, participants }: Group): GroupInfo => ({
  id,
  name,
  participants: participants.map(chatIdOf),
});

/** A group whose id follows from phone and name, so that it is always the same. */
function newGroup(
  phone: string,
  name: string,
  given: { id?: string | undefined; participants?: string[] | undefined } = {},
): Group {
  const hash = crypto.createHash('sha256').update(`${phone}/${name}`).digest();
  const digits = (hash.readBigUInt64BE() % 10n ** 12n).toString().padStart(12, '0');
  return {
    id: given.id ?? `120363${digits}@g.us`,
    name,
    participants: [phone, ...(given.participants ?? MEMBERS).filter((member) => member !== phone)],
  };
}
