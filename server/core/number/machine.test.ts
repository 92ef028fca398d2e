import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EngineState } from '../engine.ts';
import { NUMBER_STATUSES } from '../number-state.ts';
import {
  type Effect,
  type EventName,
  initialState,
  LEADS_TO,
  type NumberEvent,
  type NumberState,
  PASSKEY_CAUSES,
  PHASES,
  type Phase,
  type Rule,
  step,
  TABLE,
  undone,
} from './machine.ts';
import type { SessionRow } from './session-row.ts';

const EVENTS = Object.keys(TABLE) as EventName[];
const rulesOf = (event: EventName) => TABLE[event] as readonly Rule<NumberEvent>[];

/** `linkingIsOver` as words; a name of words stays. */
const words = (name: string) =>
  name.includes(' ') ? name : name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function lineOf({ in: phases, when, do: made, set, goesOn }: Rule<NumberEvent>): string {
  const applies = [when && words(when.name), phases?.join(' or ')].filter((one) => one !== undefined);
  const names = made.map((one) => (typeof one === 'string' ? one : words(one.name)));
  const done = names.join(', ') || (set ? 'is noted' : 'nothing');
  const led = names.map((name) => LEADS_TO[name as Effect['do']]).findLast((phase) => phase !== undefined);
  const phase = led === undefined ? '' : ` → ${led}`;
  return `  ${applies.join(', ') || 'always'}${phase}: ${done}${goesOn ? '; and what else applies' : ''}`;
}

test('what follows from each event is reviewed in one file', async () => {
  const said = EVENTS.flatMap((event) => [event, ...rulesOf(event).map(lineOf)]);
  await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('./machine.golden.txt');
});

const ROW: SessionRow = {
  ...{ numberId: 'num_1', accountId: 'acc_1', network: 'whatsapp', status: 'LINKING', intent: 'link' },
  ...{ intentRevision: 1, label: 'one', phoneNumber: null, pairingPhone: null, replacementPhone: null },
  ...{ removed: false, sendIntervalSeconds: 5, protected: false, linkLeftMs: 300_000, unseenLeftMs: null },
  ...{ moveLeftMs: null, blockedLeftMs: null, groupsAsked: false, pageCheckAsked: false, checksAsked: false },
  ...{ passkeyReplied: false, sessionStop: null, buildToTry: null },
};
const AT = { nowMs: 0, epochMs: 1_000_000 };
const begun = (given: Partial<NumberState> = {}): NumberState => ({
  ...initialState({ stale: false, intact: false, triesBuilds: true, restartPauseMsMax: 900_000 }),
  row: ROW,
  ...given,
});
const writesOf = (state: NumberState, event: NumberEvent, now = AT) =>
  step(state, event, now).effects.filter((effect) => effect.do === 'write');

test('the time for a step of a passkey, and its cause, are shown', () => {
  const shown = step(begun(), { on: 'passkey', attempt: 'a', step: { at: 'phone' } }, AT);
  expect(shown.effects).toEqual([
    { do: 'extend linking', ms: 180_000 },
    {
      do: 'write link',
      link: { qr: null, pairingCode: null, passkey: { attempt: 'a', step: { at: 'phone' } } },
    },
    { do: 'write', status: 'LINKING', cause: { code: PASSKEY_CAUSES.phone } },
  ]);
  const over = { ...ROW, intentRevision: 2, linkLeftMs: -1 };
  expect(writesOf(shown.state, { on: 'row', row: over, build: null })).toEqual([
    { do: 'write', status: 'UNLINKED', cause: { code: 'passkey_expired' } },
  ]);
});

test('linking that ends says whether it expired, nobody looked, or the data of a phone did not load', () => {
  const causeOf = (row: Partial<SessionRow>) =>
    writesOf(begun(), { on: 'row', row: { ...ROW, ...row }, build: null });
  const write = (code: string, status = 'UNLINKED') => [{ do: 'write', status, cause: { code } }];
  expect(causeOf({})).toEqual([]);
  expect(causeOf({ linkLeftMs: 0 })).toEqual(write('linking_expired'));
  expect(causeOf({ linkLeftMs: 0, phoneNumber: '491700000001' })).toEqual(
    write('linking_expired', 'LOGGED_OUT'),
  );
  expect(causeOf({ unseenLeftMs: 0 })).toEqual(write('codes_unseen'));
  expect(causeOf({ status: 'SYNCING', linkLeftMs: -599_000 })).toEqual([]);
  expect(causeOf({ status: 'SYNCING', linkLeftMs: -601_000 })).toEqual(write('not_loaded'));
});

test('linking that is opened again shows the QR while it is valid, and asks for a code again', () => {
  const shown = (expiresAtMs: number) => {
    const state = begun({ phase: 'starting', qr: { code: 'q', expiresAtMs } });
    const row = { ...ROW, intentRevision: 2, pairingPhone: '491700000001' };
    return step(state, { on: 'row', row, build: null }, AT).effects.map((effect) => effect.do);
  };
  const asked = ['serve', 'watch linking'];
  expect(shown(AT.epochMs + 1)).toEqual([...asked, 'write link', 'request code']);
  expect(shown(AT.epochMs)).toEqual([...asked, 'request code']);
});

/** The delays after sessions that were each connected for two minutes, or not at all. */
function delaysAfter(
  ...losses: { neverWorked?: boolean; connected?: boolean; atOnce?: boolean }[]
): number[] {
  let state = begun({ row: { ...ROW, intent: 'run' } });
  return losses.map(({ connected = true, ...loss }) => {
    const { row } = state;
    state = step(state, { on: 'chosen', build: null }, AT).state;
    if (connected) state = step(state, { on: 'shown', row }, AT).state;
    const event = { on: 'losing', reason: 'gone', row, leaving: null, ...loss } as const;
    const { state: next, effects } = step(state, event, { ...AT, nowMs: 120_000 });
    state = next;
    const rest = effects.find((effect) => effect.do === 'rest');
    return rest?.backOffMs ?? Number.NaN;
  });
}

test('after a session that worked for a while the delay is the shortest', () => {
  expect(delaysAfter({}, {}, {})).toEqual([1000, 1000, 1000]);
});

test('after sessions that sent nothing or did not connect, each delay is longer than the one before, up to the longest', () => {
  expect(delaysAfter({ neverWorked: true }, { neverWorked: true }, { connected: false }, {})).toEqual([
    ...[1000, 2000, 4000, 1000],
  ]);
  expect(delaysAfter(...Array.from({ length: 12 }, () => ({ connected: false }))).at(-1)).toBe(900_000);
});

test('another build is tried at once, and that does not count', () => {
  expect(delaysAfter({ connected: false }, { atOnce: true }, { connected: false })).toEqual([1000, 0, 2000]);
});

test('three connections that end unseen within an hour are a conflict, and the count begins again', () => {
  let state = begun({ phase: 'connected', row: { ...ROW, intent: 'run' } });
  const ends = [0, 3_600_000, 3_700_000, 3_800_000, 3_900_000].map((nowMs) => {
    const { state: next, effects } = step(
      state,
      { on: 'gone', reason: 'end', unseen: true },
      { ...AT, nowMs },
    );
    state = next;
    return effects.map((effect) => ('next' in effect ? effect.next.on : effect.do)).at(-1);
  });
  expect(ends).toEqual(['losing', 'losing', 'losing', 'ending', 'losing']);
});

test('a session that worked counts once, also if the next ones find no build to start on', () => {
  const row = { ...ROW, intent: 'run' } as const;
  const lost = { on: 'losing', reason: 'no build', row, leaving: null } as const;
  const first = step(begun({ row, connectedAtMs: 0 }), lost, { ...AT, nowMs: 120_000 });
  const second = step(first.state, lost, { ...AT, nowMs: 240_000 });
  const third = step(second.state, lost, { ...AT, nowMs: 360_000 });
  expect([first, second, third].map(({ effects }) => effects.at(-1))).toEqual([
    { do: 'rest', pauseMs: 0, backOffMs: 1000, failures: 1 },
    { do: 'rest', pauseMs: 0, backOffMs: 2000, failures: 2 },
    { do: 'rest', pauseMs: 0, backOffMs: 4000, failures: 3 },
  ]);
});

test('a task that failed is undone, except for what it has read and done', () => {
  const before = begun({ phase: 'connected', row: { ...ROW, intent: 'run' } });
  const ended = step(before, { on: 'gone', reason: 'end', unseen: true }, AT);
  expect(undone(before, ended.state, []).unseenAtMs).toEqual([]);
  const row = { ...ROW, intentRevision: 2, intent: 'idle' } as const;
  const read = step(before, { on: 'row', row, build: null }, AT);
  const [serve, close] = read.effects;
  expect(undone(before, read.state, serve ? [serve] : [])).toMatchObject({
    phase: 'connected',
    row,
    applied: null,
  });
  expect(undone(before, read.state, close ? [close] : [])).toMatchObject({
    phase: 'off',
    row,
    applied: null,
  });
});

test('a pairing code that is over is followed by the next while somebody looks and no phone is being linked', () => {
  const read = (row: Partial<SessionRow>, given: Partial<NumberState> = {}) => {
    const over = step(begun({ phase: 'starting', applied: 1, ...given }), { on: 'code over' }, AT);
    expect(over.effects).toMatchObject([{ do: 'read row' }]);
    const seen = { ...ROW, pairingPhone: '491700000001', unseenLeftMs: 170_000, ...row };
    const { effects } = step(over.state, { on: 'row', row: seen, build: null }, AT);
    return effects.filter((effect) => effect.do === 'request code');
  };
  expect(read({})).toEqual([{ do: 'request code', phone: '491700000001' }]);
  expect(read({ unseenLeftMs: 120_000 })).toEqual([]);
  expect(read({ intent: 'run' })).toEqual([]);
  expect(read({}, { loading: true })).toEqual([]);
  expect(read({}, { passkey: { attempt: 'a', step: { at: 'phone' } } })).toEqual([]);
});

// A walk: random events, with random answers, over a database that fails.

const bool = fc.boolean();
const rows = fc.record({
  intent: fc.constantFrom(
    'link' as const,
    'link' as const,
    'run' as const,
    'run' as const,
    'unlink' as const,
    'idle' as const,
  ),
  status: fc.constantFrom(...NUMBER_STATUSES),
  phoneNumber: fc.constantFrom(null, '491'),
  pairingPhone: fc.constantFrom(null, '491'),
  linkLeftMs: fc.constantFrom(300_000, 300_000, -1, null),
  unseenLeftMs: fc.constantFrom(null, null, 170_000, 0),
  moveLeftMs: fc.constantFrom(null, 5000),
  blockedLeftMs: fc.constantFrom(null, null, null, 5000),
  groupsAsked: bool,
  passkeyReplied: bool,
  sessionStop: fc.constantFrom(null, null, null, 'plan_ended' as const),
  buildToTry: fc.constantFrom(null, { version: 'v1', wish: 'one' }, { version: 'v2', wish: 'two' }),
});
const cause = { code: 'connection_cut' } as const;
const states = fc.constantFrom<EngineState>(
  ...([{ state: 'qr' }, { state: 'qr' }, { state: 'qr' }, { state: 'syncing', percent: null }] as const),
  ...Array.from({ length: 3 }, () => ({ state: 'passkey', attempt: 'a', step: { at: 'begun' } }) as const),
  ...Array.from(
    { length: 4 },
    () => ({ state: 'ready', phone: '491', pushName: null, build: 'v1' }) as const,
  ),
  ...([{ state: 'waiting', cause }, { state: 'leaving' }, { state: 'conflict' }] as const),
  ...([
    { state: 'logged_out', reason: null },
    { state: 'unfit', build: 'v1', failed: 'x' },
  ] as const),
  ...([5, null] as const).map((until) => ({ state: 'blocked', cause, until }) as const),
  ...([{}, { unseen: true }, { unseen: true }, { unseen: true }, { linkEnded: true }] as const).map(
    (more) => ({ state: 'gone', reason: 'gone', ...more }) as const,
  ),
);
type Happening =
  | { wanted: Partial<SessionRow>; isNew: boolean }
  | { page: EngineState }
  | { event: NumberEvent }
  | { fails: number }
  | { erased: true };
const happenings = fc.oneof<fc.MaybeWeightedArbitrary<Happening>[]>(
  { weight: 4, arbitrary: fc.record({ wanted: rows, isNew: fc.constantFrom(true, true, false) }) },
  { weight: 6, arbitrary: states.map((page) => ({ page })) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<NumberEvent>(
        ...([{ on: 'changed' }, { on: 'restart due' }, { on: 'begun' }, { on: 'arrival late' }] as const),
        ...([{ on: 'recovered' }, { on: 'lost', reason: 'no_answer' }] as const),
        { on: 'qr code', code: 'q', expiresAtMs: AT.epochMs * 2 },
        { on: 'code over' },
        { on: 'tested', result: { version: 'v1', failed: null, comms: 'page' } },
      )
      .map((event) => ({ event })),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map((fails) => ({ fails })) },
  { weight: 1, arbitrary: fc.constant({ erased: true as const }) },
);

/** Effects that need no database. The others may fail. */
const CERTAIN: readonly Effect['do'][] = [
  ...(['watch arrival', 'watch linking', 'watch code', 'open', 'stop dispatching', 'pause'] as const),
  ...(['end browser', 'close', 'count loss', 'rest', 'release', 'read health', 'log out'] as const),
];
const TRIES_MAX = 30;
const OPEN: readonly Phase[] = ['starting', 'connected', 'waiting'];
const ENDED = ['LOGGED_OUT', 'CONFLICT', 'UNLINKED'];

/** A number with what its effects do, and what must hold after each of them. */
class Walk {
  state: NumberState;
  row: SessionRow | null = null;
  isOpen = false;
  rests = false;
  fails = 0;
  /** The revision of the intent with which it was unlinked, logged out or in conflict. */
  endedAt: number | null = null;
  nowMs = 0;
  revision = 0;
  readonly taken = new Set<Rule<NumberEvent>>();
  readonly visited = new Set<Phase>();
  readonly #draw: () => number;
  readonly #hasGoodCopy: boolean;

  constructor(draw: () => number) {
    this.#draw = draw;
    this.#hasGoodCopy = draw() % 2 === 0;
    const [stale = 0, intact = 0] = [draw() % 9, draw() % 3];
    this.state = begun({ row: null, stale: stale === 0, intact: intact === 0 });
  }

  happens(next: Happening): void {
    this.nowMs += this.#draw() % 100_000;
    if ('fails' in next) this.fails = next.fails;
    else if ('page' in next) {
      // Later reports of an ended session are ignored.
      if (this.isOpen) this.#task({ ...next.page, on: next.page.state } as NumberEvent);
    } else if ('event' in next) {
      if (next.event.on === 'restart due') this.rests = false;
      this.#task(next.event);
    } else {
      if ('erased' in next) {
        if (this.#draw() % 8 === 0) this.row = null;
      } else {
        const { intent, ...rest } = next.wanted;
        const isNew = next.isNew || this.row === null;
        this.row = {
          ...ROW,
          ...this.row,
          ...rest,
          ...(isNew && { intent, intentRevision: ++this.revision }),
        };
      }
      this.#task({ on: 'changed' });
    }
    this.visited.add(this.state.phase);
    expect([this.isOpen, this.rests]).toEqual([
      OPEN.includes(this.state.phase),
      this.state.phase === 'resting',
    ]);
    // Every phase can be left.
    const gone = step(this.state, { on: 'row', row: null, build: null }, this.#now());
    expect([gone.state.phase, gone.effects.at(-1)?.do]).toEqual(['off', 'release']);
  }

  #task(event: NumberEvent): void {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const before = this.state;
      const done: Effect[] = [];
      try {
        this.#handle(event, done);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        this.state = undone(before, this.state, done);
      }
    }
    this.endedAt = null;
    this.#handle({ on: 'given up' }, []);
  }

  #handle(event: NumberEvent, done: Effect[]): void {
    for (let next: NumberEvent | null = event; next !== null; ) {
      const { state, effects, taken } = step(this.state, next, this.#now());
      this.state = state;
      for (const rule of taken) this.taken.add(rule);
      next = null;
      for (const effect of effects) {
        expect(next).toBeNull(); // only the last effect has an answer
        next = this.#perform(effect);
        done.push(effect);
      }
    }
  }

  #perform(effect: Effect): NumberEvent | null {
    if (this.fails > 0 && !CERTAIN.includes(effect.do) && this.#draw() % 3 > 0) {
      this.fails -= 1;
      throw new DatabaseError();
    }
    const { row } = this;
    switch (effect.do) {
      case 'read row':
        return { on: 'row', row, build: this.#one(null, 'v1') };
      case 'read row again':
        return {
          ...effect.next,
          ...{ row, leaving: this.#one(null, null, { code: 'test_repeats' } as const) },
        };
      case 'choose build':
        return this.#one<NumberEvent>(
          ...Array.from({ length: 4 }, () => ({ on: 'chosen', build: null }) as const),
          { on: 'lost', reason: 'no build', cause: { code: 'build_not_stored', build: 'v1', stored: [] } },
        );
      case 'open':
        expect(this.isOpen).toBe(false);
        expect(this.state.row?.intent).not.toBe('idle');
        if (this.state.row?.intent === 'unlink')
          expect(this.state.row.intentRevision).not.toBe(this.state.loggedOut?.revision);
        else expect(this.state.row?.intentRevision).not.toBe(this.endedAt);
        this.isOpen = true;
        this.rests = false;
        return null;
      case 'close':
        this.isOpen = this.rests = false;
        return null;
      case 'rest':
        expect(this.isOpen).toBe(false);
        this.rests = true;
        return null;
      case 'release':
        expect([this.isOpen, this.rests, this.state.phase]).toEqual([false, false, 'off']);
        return null;
      case 'write':
        if (row) this.row = { ...row, status: effect.status };
        // Codes that nobody looked at are shown again if the end of their linking cannot be stored.
        if (row && ENDED.includes(effect.status) && effect.cause?.code !== 'codes_unseen')
          this.endedAt = row.intentRevision;
        return null;
      case 'write connected': {
        if (this.#draw() % 9 === 0) return null;
        expect(this.isOpen).toBe(true);
        if (row)
          this.row = { ...row, status: 'CONNECTED', intent: row.intent === 'link' ? 'run' : row.intent };
        // Its owner unlinks it in this moment, which is read later.
        if (this.row && this.#draw() % 5 === 0)
          this.row = { ...this.row, intent: 'unlink', intentRevision: ++this.revision };
        return { on: 'shown', row: this.row };
      }
      case 'settle':
        if (row?.intentRevision === effect.revision) this.row = { ...row, intent: 'idle' };
        return null;
      case 'dispatch':
        expect([this.isOpen, this.state.phase]).toEqual([true, 'connected']);
        return null;
      case 'log out':
        return { on: 'unlinked', confirmed: this.#one(true, false), refusal: effect.refusal };
      case 'admit phone':
        if (this.#draw() % 4 === 0) return { on: 'phone refused', refusal: 'other' };
        // An earlier try may have refused it.
        this.endedAt = null;
        return { on: 'admitted', replaced: this.#one(true, false) };
      case 'restore good copy':
        expect(this.isOpen).toBe(false);
        return { on: this.#hasGoodCopy ? 'restored' : 'not restored' };
      case 'find build':
      case 'judge test': {
        const until = 'until' in effect ? effect.until : null;
        return this.#one<NumberEvent>(
          { on: 'refused', cause, until },
          { on: 'lost', reason: 'another build', cause, atOnce: true },
        );
      }
      case 'request code':
        return this.#one<NumberEvent | null>(null, { on: 'code shown' }, { on: 'no code', cause });
      default:
        return null;
    }
  }

  #one<T>(...all: T[]): T {
    return all[this.#draw() % all.length] as T;
  }

  #now() {
    return { nowMs: this.nowMs, epochMs: AT.epochMs + this.nowMs };
  }
}

class DatabaseError extends Error {}

test('on a walk of 100,000 events, one session at most is open, what has ended stays ended, and every row is taken', () => {
  const taken = new Set<Rule<NumberEvent>>();
  const visited = new Set<Phase>();
  fc.assert(
    fc.property(
      fc.array(happenings, { minLength: 100, maxLength: 100 }),
      fc.infiniteStream(fc.nat(999_999)),
      (all, draws) => {
        const walk = new Walk(() => draws.next().value ?? 0);
        for (const next of all) walk.happens(next);
        for (const rule of walk.taken) taken.add(rule);
        for (const phase of walk.visited) visited.add(phase);
      },
    ),
    { numRuns: 1000 },
  );
  expect([...visited].sort()).toEqual([...PHASES].sort());
  const never = EVENTS.flatMap((event) =>
    rulesOf(event)
      .filter((rule) => !taken.has(rule))
      .map((rule) => `${event}: ${lineOf(rule)}`),
  );
  expect(never).toEqual([]);
});
