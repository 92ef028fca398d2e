import { setTimeout as delay } from 'node:timers/promises';
import type { Group } from '#server/core/engine.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { fetchGroup, isMember, queryGroups } from './page/groups.ts';
import { withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

/** How many groups are fetched in advance; the others are fetched when a message is sent to them. */
const PREFETCHED_MAX = 100;
/** Between two attempts to fetch a group's members. */
const AGAIN_MS = 500;
/** A listed group counts as joined for this long. A group that is not listed is always checked again. */
const FRESH_MS = 10 * 60_000;

interface GroupsOptions {
  times: EngineTimes;
  log: Log;
  page(): Page;
}

/** The number's groups, as WhatsApp lists them, and the data that the page needs to send to them. */
export class Groups {
  readonly #o: GroupsOptions;
  #listed: Group[] | null = null;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<Group[]> | null = null;
  readonly #fetched = new Set<string>();

  constructor(options: GroupsOptions) {
    this.#o = options;
  }

  /** Fetches all groups. If WhatsApp refuses, returns the last list; rejects if there is none. */
  async list(): Promise<Group[]> {
    try {
      return await this.#ask();
    } catch (error) {
      if (this.#listed) return this.#listed;
      throw error;
    }
  }

  /**
   * Makes the page fetch each group's members, one group after another. Otherwise the first message to a group waits
   * for them, for 17 s if the server does not answer. Never rejects.
   */
  async prefetch(): Promise<void> {
    try {
      for (const { id } of (await this.#ask()).slice(0, PREFETCHED_MAX)) await this.#fetch(id);
    } catch (error) {
      this.#o.log.warn({ err: error }, 'the groups were not fetched in advance');
    }
  }

  /**
   * Resolves when a message may be sent to this group. Rejects with {@link SendError} if the number is not in it, or its
   * members are not known in time: WhatsApp would accept the message and deliver it to nobody.
   */
  async requireMembership(chatId: string): Promise<void> {
    if (!(await this.#contains(chatId)))
      throw new SendError(true, 'recipient_unknown', 'the number is not in this group');
    const until = performance.now() + this.#o.times.membersMs;
    for (;;) {
      const failure = await this.#fetch(chatId).then(
        () => null,
        (error: unknown) => error,
      );
      if (failure === null) return;
      if (performance.now() + AGAIN_MS > until)
        throw new SendError(true, 'members', 'the members of the group are not known', { cause: failure });
      await delay(AGAIN_MS);
    }
  }

  async #contains(chatId: string): Promise<boolean> {
    const has = () => this.#listed?.some(({ id }) => id === chatId) === true;
    const isCurrent = () => has() && performance.now() - this.#listedAtMs < FRESH_MS;
    if (isCurrent()) return true;
    try {
      if (this.#asking) await this.#asking; // this list may be older than the number's membership
      if (!isCurrent()) await this.#ask();
      return has();
    } catch (error) {
      this.#o.log.warn({ err: error }, 'WhatsApp does not list the groups');
      const { times, page } = this.#o;
      await this.#fetch(chatId).catch(() => {});
      const member = withTimeout(times.probeMs, 'the group', page().evaluate(isMember, chatId));
      if (has() || (await member.catch(() => false))) return true;
      throw new SendError(true, 'page', 'it is not known whether the number is in this group', {
        cause: error,
      });
    }
  }

  #ask(): Promise<Group[]> {
    this.#asking ??= this.#askPage().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #askPage(): Promise<Group[]> {
    const { times, page } = this.#o;
    const answer = await withTimeout(times.callMs, 'the groups', page().evaluate(queryGroups));
    if ('refused' in answer) throw new Error(`the groups: ${answer.refused.text}`);
    this.#listed = answer.groups;
    this.#listedAtMs = performance.now();
    return answer.groups;
  }

  async #fetch(chatId: string): Promise<void> {
    if (this.#fetched.has(chatId)) return;
    const { times, page } = this.#o;
    const known = await withTimeout(times.groupMs, 'a group', page().evaluate(fetchGroup, chatId));
    if (!known) throw new Error('the page knows no members of the group');
    this.#fetched.add(chatId);
  }
}
