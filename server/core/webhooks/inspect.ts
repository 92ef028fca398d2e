/** The URL of an endpoint whose events are only shown on its page: nothing is posted. For sandbox numbers. */
export const INSPECT_URL = 'wirebird:inspect';

/** The type of an event that a person sends to try an endpoint. It is delivered to that endpoint only. */
export const TEST_EVENT_TYPE = 'webhook.test';
