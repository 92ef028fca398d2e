/** The browser's functions for extensions that these scripts use. */

interface WirebirdTab {
  id?: number;
}
type WirebirdListener = (
  message: WirebirdMessage,
  sender: { tab?: WirebirdTab },
  reply: (answer: unknown) => void,
) => true | undefined;

declare const chrome: {
  runtime: {
    sendMessage(message: WirebirdMessage): Promise<unknown>;
    onMessage: { addListener(listener: WirebirdListener): void };
  };
  tabs: {
    create(options: { url: string }): Promise<WirebirdTab>;
    update(tabId: number, options: { active: boolean }): Promise<unknown>;
    remove(tabId: number): Promise<void>;
    sendMessage(tabId: number, message: WirebirdMessage): Promise<unknown>;
  };
};

/** What WhatsApp asks a browser to sign. Bytes are base64url. */
interface WirebirdRequest {
  challenge: string;
  rpId: string;
  timeout?: number;
  userVerification?: UserVerificationRequirement;
  allowCredentials: { type: 'public-key'; id: string }[];
  extensions?: AuthenticationExtensionsClientInputs;
}
interface WirebirdAssertion {
  id: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle: string | null;
}
/** A request, and whom it is for. */
interface WirebirdPending {
  request: WirebirdRequest;
  /** The number's name. */
  name: string;
  /** The installation's address. */
  address: string;
}

type WirebirdMessage =
  /** The dashboard has a request: WhatsApp Web opens in a tab. */
  | { kind: 'open' }
  /** That tab asks the dashboard's tab for the request, and returns the answer. */
  | { kind: 'request'; tab: number }
  | { kind: 'signed'; tab: number; assertion: WirebirdAssertion };
