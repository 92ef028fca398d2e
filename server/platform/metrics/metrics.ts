import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { singleton } from '#server/platform/singleton.ts';

/**
 * All Prometheus metrics. Tests check the dashboard and the alert rules under `deploy/` against these names. Units
 * are seconds and bytes.
 */
function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const metrics = {
    registry,

    // Reported by the worker that holds a number's lease.
    messages: counter(
      'wirebird_messages_total',
      `Messages that reached a state, by state: ${MESSAGE_STATUSES.join(', ')}.`,
      ['status'],
    ),
    messagesByBuild: counter(
      'wirebird_build_messages_total',
      'Messages that were sent, failed or stayed unknown, by the build of WhatsApp Web that their number ran at the time.',
      ['build', 'status'],
    ),
    acceptedToDispatch: histogram(
      'wirebird_message_dispatch_seconds',
      'From the acceptance of a message to its dispatch: its place in the queue, the interval and the fetching of its file included.',
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 300, 3600],
      ['lane'],
    ),
    dispatchToAck: histogram(
      'wirebird_message_ack_seconds',
      'From the dispatch of a message to the acknowledgement of WhatsApp’s server.',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
    ),
    slotLateness: histogram(
      'wirebird_slot_lateness_seconds',
      'How late a message without a file was dispatched: the time since it was accepted and its number’s interval was over.',
      [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    ),
    notifications: counter(
      'wirebird_notifications_total',
      'Changes that the database announced to this process. They do not grow with the number of processes.',
    ),
    sessionRestarts: counter(
      'wirebird_session_restarts_total',
      'Sessions that ended unexpectedly and were started again, by reason.',
      ['reason'],
    ),
    unknownDialogs: counter(
      'wirebird_unknown_dialogs_total',
      'Dialogs of WhatsApp Web that Wirebird does not know and leaves open, by build. The log names their headings.',
      ['build'],
    ),
    sessionsHeld: gauge('wirebird_sessions_held', 'Numbers whose lease this worker holds.'),
    browserMemory: gauge(
      'wirebird_browser_pss_bytes',
      'Memory of a number’s browser with all its processes, shared pages counted by their share (PSS).',
      ['number'],
    ),
    diskFree: gauge(
      'wirebird_disk_free_bytes',
      'Free space of the volume on which a worker keeps this: profiles, media, logs, database.',
      ['use'],
    ),
    diskLevel: gauge(
      'wirebird_disk_level',
      'State of that volume: 0 enough room, 1 messages with a file are refused, 2 no session runs.',
      ['use'],
    ),
    mediaFetches: counter(
      'wirebird_media_fetches_total',
      'Files fetched for messages, by result: ok, or the code of what went wrong.',
      ['result'],
    ),

    // Reported by the web process.
    requests: histogram(
      'wirebird_rest_request_seconds',
      'Requests of the API until the answer was handed to the connection, by route and status. Waiting for the outcome of a message is included.',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 40, 60],
      ['route', 'status'],
    ),
    requestsDropped: counter(
      'wirebird_request_log_dropped_total',
      'Requests missing from the request log: too many waited to be written, or the database refused them.',
    ),
    restricted: gauge(
      'wirebird_numbers_restricted',
      'Numbers that WhatsApp restricts, or that pause after refusals: timelock, cap, checkpoint, pause. Every web process reports the same: take the maximum.',
      ['limit'],
    ),
    contactsRefused: counter(
      'wirebird_new_contacts_refused_total',
      'Requests to people whom the number does not know, refused before anything left, by limit: timelock, cap, pause, budget.',
      ['limit'],
    ),
    numbers: gauge(
      'wirebird_numbers',
      `Numbers of the installation by state: ${NUMBER_STATUSES.join(', ')}. Every web process reports the same: take the maximum.`,
      ['status'],
    ),
    numbersByBuild: gauge(
      'wirebird_numbers_by_build',
      'Numbers whose session runs this build of WhatsApp Web. Every web process reports the same: take the maximum.',
      ['network', 'build'],
    ),
    buildTested: gauge(
      'wirebird_build_self_test',
      'Last self-test of a build of WhatsApp Web: 1 passed, 0 failed. Every web process reports the same: take the maximum.',
      ['network', 'build'],
    ),
    buildKinds: gauge(
      'wirebird_build_kinds',
      'Kinds of messages on a build of WhatsApp Web that a number runs, always 1, by what was last found: tested (it passed its test), proven (WhatsApp has taken one) or failed. Every web process reports the same: take the maximum.',
      ['network', 'build', 'kind', 'result'],
    ),
    queueDepth: gauge(
      'wirebird_queue_messages',
      'Waiting messages in the installation’s queues. Every web process reports the same: take the maximum.',
      ['lane'],
    ),
    queueOldest: gauge(
      'wirebird_queue_oldest_seconds',
      'Age of the oldest waiting message; 0 if none waits. Every web process reports the same: take the maximum.',
      ['lane'],
    ),
    workers: gauge(
      'wirebird_workers',
      'Workers with a recent heartbeat. Every web process reports the same: take the maximum.',
    ),
    searchWaits: gauge(
      'wirebird_search_index_waits_seconds',
      'For how long no message could come into the index of the search; 0 if it does not wait. Every web process reports the same: take the maximum.',
    ),

    // Reported by both.
    pool: gauge('wirebird_database_connections', 'Connections of this process’s pool by state.', ['state']),
    prepared: gauge(
      'wirebird_database_prepared_statements',
      'Statements that PostgreSQL has prepared on this process’s connections. Those of a worker’s webhooks are not included.',
    ),
    alertsRaised: counter('wirebird_alerts_total', 'Alerts that this process raised, by kind.', ['kind']),
    mails: counter('wirebird_mails_total', 'Mails of alerts, by result.', ['result']),
  };
  return metrics;
}

export const metrics = singleton('metrics', makeMetrics);
