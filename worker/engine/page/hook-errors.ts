/** Error texts of our hooks; the outbox recognises them. */
export const HOOK_ERRORS = {
  heldBack: 'held back by the worker',
  disconnected: 'held back: there is no connection to WhatsApp',
  notAdded: 'not added: ',
  notUploaded: 'upload failed: ',
} as const;
