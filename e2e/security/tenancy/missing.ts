/** What an account has, by id. */
export interface Things {
  accountId: string;
  userId: string;
  numberId: string;
  keyId: string;
  messageId: string;
  signInId: string;
  invitationId: string;
  alertId: string;
  endpointId: string;
  /** An event in the log of the endpoint. */
  eventId: string;
  /** A request in the request log. */
  requestId: string;
  /** A member of the account who is not its owner. */
  personId: string;
  email: string;
}

/** Ids that belong to nobody. */
export const MISSING: Things = {
  accountId: 'acc_00000000000000000000000000',
  userId: 'usr_00000000000000000000000000',
  numberId: 'num_00000000000000000000000000',
  keyId: 'key_00000000000000000000000000',
  messageId: 'msg_00000000000000000000000000',
  signInId: 'sgn_00000000000000000000000000',
  invitationId: 'inv_00000000000000000000000000',
  alertId: 'alt_00000000000000000000000000',
  endpointId: 'whe_00000000000000000000000000',
  eventId: 'evt_00000000000000000000000000',
  requestId: '00000000-0000-4000-8000-000000000000',
  personId: 'usr_00000000000000000000000001',
  email: 'nobody@example.org',
};
