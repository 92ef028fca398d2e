import type { Group } from '#server/core/engine.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import { within } from './deadline.ts';
import type { Page } from './library.ts';
import { askForGroups, fetchGroup, isMember } from './page-groups.ts';
import type { EngineTimes } from './times.ts';

/** This many groups are prepared for a first message; the others when a message is sent. */
const FETCHED_AHEAD_MAX = 100;
/** A group on the list counts as joined for this long. One that is not on it is always checked again. */
const FRESH_MS = 10 * 60_000;

interface GroupsOptions {
  times: EngineTimes;
  log: Log;
  page(): Page;
}

/** The groups of the number, by WhatsApp's own list, and what the page needs to send to them. */
export class Groups {
  readonly #o: GroupsOptions;
  #listed: Group[] | null = null;
  #listedAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<Group[]> | null = null;
  readonly #fetched = new Set<string>();

  constructor(options: GroupsOptions) {
    this.#o = options;
  }

  /** All groups, requested again; the last list if WhatsApp refuses the request. Rejects if there is none. */
  async list(): Promise<Group[]> {
    try {
      return await this.#ask();
    } catch (error) {
      if (this.#listed) return this.#listed;
      throw error;
    }
  }

  /**
   * Makes the page fetch the members of each group, one group after another, so that a first message does not
   * wait for them: a silent server costs it 17 s. Never rejects.
   */
  async fetchAhead(): Promise<void> {
    try {
      for (const { id } of (await this.#ask()).slice(0, FETCHED_AHEAD_MAX)) await this.#fetch(id);
    } catch (error) {
      this.#o.log.warn({ err: error }, 'the groups were not prepared');
    }
  }

  /**
   * Resolves when a message may go to this group. Rejects with {@link SendError} if the number is not in it.
   */
  async demand(chatId: string): Promise<void> {
    if (!(await this.#contains(chatId)))
      throw new SendError(true, 'recipient_unknown', 'the number is not in this group');
    // The page asks too, and after a while sends without an answer.
    await this.#fetch(chatId).catch((error: unknown) => {
      this.#o.log.warn({ err: error, chatId }, 'the members of a group are not known');
    });
  }

  async #contains(chatId: string): Promise<boolean> {
    const has = () => this.#listed?.some(({ id }) => id === chatId) === true;
    const isCurrent = () => has() && performance.now() - this.#listedAtMs < FRESH_MS;
    if (isCurrent()) return true;
    try {
      if (this.#asking) await this.#asking; // requested before the number may have joined
      if (!isCurrent()) await this.#ask();
      return has();
    } catch (error) {
      this.#o.log.warn({ err: error }, 'WhatsApp does not list the groups');
      const { times, page } = this.#o;
      const member = within(times.probeMs, 'the group', page().evaluate(isMember, chatId));
      if (has() || (await member.catch(() => false))) return true;
      throw new SendError(true, 'page', 'whether the number is in this group is not known', { cause: error });
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
    const answer = await within(times.callMs, 'the groups', page().evaluate(askForGroups));
    if ('refused' in answer) throw new Error(`the groups: ${answer.refused.text}`);
    this.#listed = answer.groups;
    this.#listedAtMs = performance.now();
    return answer.groups;
  }

  async #fetch(chatId: string): Promise<void> {
    if (this.#fetched.has(chatId)) return;
    const { times, page } = this.#o;
    await within(times.groupMs, 'a group', page().evaluate(fetchGroup, chatId));
    this.#fetched.add(chatId);
  }
}
