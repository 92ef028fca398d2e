import type { BrokenBuild } from '#server/sandbox/network-config.ts';
import { never } from './bytes.ts';
import { Chats, Msg, Msgs } from './chats.ts';
import { MsgKey } from './ids.ts';
import { MediaEntry } from './media.ts';
import { type JobResult, WAWebSendMsgJob } from './send-job.ts';
import { me, Socket } from './state.ts';

/** A build of the site that breaks something the adapter relies on, in one of several ways. */

type Modules = Record<string, unknown>;

const BREAK: Record<BrokenBuild, (modules: Modules) => void> = {
  'no-send': (modules) => {
    modules.WAWebSendMsgChatAction = {};
  },
  'other-send': (modules) => copyEachTime(modules, 'WAWebSendMsgChatAction'),
  'other-job': (modules) => copyEachTime(modules, 'WAWebSendMsgJob'),
  'kept-job': (modules) => {
    modules.WAWebSendMsgJob = { ...(modules.WAWebSendMsgJob as object) };
  },
  'job-text': () => answerJobsWith(({ error }) => ({ error: error === null ? null : String(error) })),
  'job-empty': () => answerJobsWith(() => undefined),
  ping: (modules) => {
    modules.WAComms = { ...(modules.WAComms as object), sendPing: () => never };
  },
  'look-up-null': (modules) => {
    modules.WAWebQueryExistsJob = { queryWidExists: async () => null };
  },
  'look-up-shape': (modules) => {
    modules.WAWebQueryExistsJob = { queryWidExists: async () => ({ exists: true }) };
  },
  'media-prep': (modules) => {
    modules.WAWebPrepRawMedia = {};
  },
  'media-entry': () => {
    for (const name of ['getMediaKey', 'getMediaKeyTimestamp', 'getEncfilehash'])
      Reflect.deleteProperty(MediaEntry.prototype, name);
    MediaEntry.names = 'other';
  },
  vcard: (modules) => {
    const parseVcard = () => {
      throw new TypeError('r: r');
    };
    modules.WAWebVcardParsingUtils = { parseVcard };
  },
  'message-model': () => {
    Msgs.modelClass = class extends Msg {
      constructor(attributes: ConstructorParameters<typeof Msg>[0]) {
        if ('mediaKey' in attributes || 'filename' in attributes || 'width' in attributes)
          throw new Error('Attempting to directly set derived property');
        super(attributes);
      }
    };
  },
  'own-number': (modules) => {
    modules.WAWebUserPrefsMeUser = { getMaybeMePnUser: () => me.lid, getMaybeMeLidUser: () => me.lid };
  },
  'key-text': () => {
    MsgKey.prototype.toString = function text(this: MsgKey) {
      return `${this.remote.toString()}/${this.id}`;
    };
  },
  'key-id': (modules) => {
    class ForgetfulKey extends MsgKey {
      constructor(parts: ConstructorParameters<typeof MsgKey>[0]) {
        super({ ...parts, id: `${parts.id}0` });
      }
    }
    modules.WAWebMsgKey = ForgetfulKey;
  },
  'ack-event': () => silence(Msgs, 'change:ack'),
  'state-event': () => silence(Socket, 'change:retryTimestamp'),
  chat: (modules) => {
    Chats.get = () => undefined;
    modules.WAWebFindChatAction = { findOrCreateLatestChat: async () => undefined };
  },
};

export function breakBuild(kind: BrokenBuild, modules: Modules): void {
  BREAK[kind](modules);
}

/** The page itself reads the result elsewhere. */
function answerJobsWith(answer: (result: JobResult) => unknown): void {
  const run = WAWebSendMsgJob.encryptAndSendMsg;
  WAWebSendMsgJob.encryptAndSendMsg = async (...request) => answer(await run(...request)) as JobResult;
}

/** Stops triggering the event. */
function silence(emitter: { trigger(name: string, ...args: unknown[]): void }, event: string): void {
  const trigger = emitter.trigger.bind(emitter);
  emitter.trigger = (name, ...args) => {
    if (name !== event) trigger(name, ...args);
  };
}

/** Gives each caller its own copy of the module, so that replacing a function affects that caller only. */
function copyEachTime(modules: Modules, name: string): void {
  const real = modules[name] as object;
  Object.defineProperty(modules, name, { get: () => ({ ...real }), enumerable: true });
}
