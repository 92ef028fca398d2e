import { getNumber } from '#server/numbers/get-number.ts';
import { linkingView, openLinking } from '#server/numbers/link-number.ts';
import { shownNumberState } from '#server/numbers/queries/number-status.ts';
import type { WithSql } from '#server/testing/sql.ts';
import type { Cli } from '../cli.ts';
import type { Transport } from './transport.ts';
import { until } from './until.ts';

/** Does what a person would do in these tests. */
export const ACTOR = { kind: 'cli' } as const;

export interface FaultNumber {
  numberId: string;
  phone: string;
  key: string;
  keyId: string;
}

interface FaultNumbersOptions {
  database: WithSql;
  transport: Transport;
  accountId: string;
  cli: Cli;
  /** A lease that was renewed for this long is stable. */
  keptAfterMs: number;
}

/** Creates numbers, links them and watches them. */
export class FaultNumbers {
  readonly #o: FaultNumbersOptions;
  /** The numbers that rows share, by index. */
  readonly all: FaultNumber[] = [];

  constructor(options: FaultNumbersOptions) {
    this.#o = options;
  }

  /** The connected number at an index; each row gets the same one. */
  async at(place = 0): Promise<FaultNumber> {
    for (;;) {
      const number = this.all[place];
      if (number) return number;
      this.all.push(await this.fresh());
    }
  }

  /** One more connected number with a key. */
  async fresh(): Promise<FaultNumber> {
    const { database, accountId, cli } = this.#o;
    // In a separate process: a process has only one queue client, and there may be several worlds.
    const made = ['number', 'add', '--account', accountId, '--network', 'sandbox'];
    const { instance: numberId } = await cli.run<{ instance: string }>(made);
    const { sandboxPhone } = await getNumber({ database, accountId }, { numberId });
    const phone = sandboxPhone ?? '';
    await this.link({ numberId, phone });
    const { key, id: keyId } = await cli.run<{ key: string; id: string }>([
      'key',
      'create',
      '--instance',
      numberId,
    ]);
    return { numberId, phone, key, keyId };
  }

  /** Links a number with its phone, for the first time or again. */
  async link({ numberId, phone }: Pick<FaultNumber, 'numberId' | 'phone'>): Promise<void> {
    const { database, transport, accountId } = this.#o;
    await openLinking({ database, accountId, actor: ACTOR }, { numberId });
    const scanned = new Set<string>();
    await until(`${numberId} is linked`, async () => {
      if ((await this.statusOf({ numberId })) === 'CONNECTED') return true;
      await transport.link({ numberId, phone }, async () => {
        const { qr } = await linkingView({ database, accountId }, { numberId });
        if (!qr || scanned.has(qr)) return null;
        scanned.add(qr);
        return qr;
      });
      return false;
    });
  }

  async statusOf({ numberId }: Pick<FaultNumber, 'numberId'>): Promise<string> {
    return (await shownNumberState(this.#o.database.db, { numberId })).status;
  }

  async untilStatus(number: FaultNumber, status: string, withinMs = 60_000): Promise<void> {
    const is = async () => (await this.statusOf(number)) === status;
    await until(`${number.numberId} is ${status}`, is, withinMs);
  }

  /** A lease that was silent during a database outage may be released once more after its number is back. */
  async untilKept(number: FaultNumber): Promise<void> {
    const { database, keptAfterMs } = this.#o;
    let since: { fence: number; renewedAt: Date } | undefined;
    await until(`the lease of ${number.numberId} is kept`, async () => {
      const [now] = await database.sql<{ fence: number; renewedAt: Date }[]>`
        select fence::int, renewed_at as "renewedAt" from leases where number_id = ${number.numberId}`;
      const connected = (await this.statusOf(number)) === 'CONNECTED';
      if (!connected || now?.fence !== since?.fence) since = connected ? now : undefined;
      return !!now && !!since && now.renewedAt.getTime() - since.renewedAt.getTime() >= keptAfterMs;
    });
  }
}
