/** What an account may do before it has a plan: one sandbox number, in the dashboard only. */
export const TRIAL = {
  /** In the last 24 hours. */
  messagesPerDay: 20,
  /** The session stops when it was not used for this long. */
  idleMinutes: 15,
  /** Sessions in use at the same time, over all accounts. */
  sessionsMax: 10,
} as const;

/** What a person who tries the product reads when something is refused. */
export const TRIAL_REFUSALS = {
  messages: `The trial includes ${TRIAL.messagesPerDay} messages a day, and they are used. Try again tomorrow, or request a plan.`,
  numbers:
    'The trial includes one sandbox number, and this account has one already. Remove that one, or request a plan.',
  sessions: `All ${TRIAL.sessionsMax} trial sessions are in use. Try again in ${TRIAL.idleMinutes} minutes, or request a plan.`,
} as const;
