import type { QueueTrouble } from '#server/operations/queue-health.ts';
import type { SettingName } from '#server/settings.ts';

const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const NEEDS_OWNER =
  'A number that needs its owner is logged out, blocked or open elsewhere. It sends nothing until its owner acts.';

/** Texts about the state of the installation, for its administrator. */
export const operation = {
  health: {
    title: 'Queue health',
    well: 'Everything is working',
    working: 'The installation is working.',
    /** Numbers that send nothing until a person acts. */
    needOwner: (count: number) => plural(count, 'number needs its owner', 'numbers need their owners'),
    decide: (count: number) =>
      plural(count, 'message waits for a person’s decision', 'messages wait for a person’s decision'),
    wellText: (needPerson: number) =>
      ['Messages are sent at each number’s interval, and none is late.', needPerson > 0 && NEEDS_OWNER]
        .filter(Boolean)
        .join(' '),
    noneCanSend: 'No number can send',
    noneCanSendText: `The installation is working, but no number is connected. ${NEEDS_OWNER}`,
    away: (count: number) =>
      plural(
        count,
        'number sends nothing until its owner acts',
        'numbers send nothing until their owners act',
      ),
    undecided: (count: number) =>
      plural(count, 'message waits for its owner’s decision', 'messages wait for their owner’s decision'),
    undecidedText:
      'A message that waited while its number could not send is sent only if the owner decides so on the number’s page.',
    unclear: (count: number) =>
      plural(count, 'message is unknown since the restore', 'messages are unknown since the restore'),
    unclearText:
      'An unknown message may have arrived. Its owner looks at the chat on the phone, and sends again only what is not there.',
    /** Above the steps after a restore. */
    steps: 'What to do now',
    stopped: (count: number) =>
      plural(count, 'message was', 'messages were').concat(' not sent, because Wirebird stopped'),
    stoppedText:
      'Their requests got 503 with the error code “stopping”. Whether they are repeated is up to each program. Requests that found no server are not known here.',
    lastAt: 'Last:',
    onOthers: (count: number) => `And ${plural(count, 'message', 'messages')} of other numbers`,
    more: (count: number) => `And ${plural(count, 'other number', 'other numbers')}`,
    unwell: (count: number) => `${plural(count, 'problem needs', 'problems need')} attention`,
    troubles: {
      no_worker: {
        title: () => 'No worker is running',
        text: 'Nothing is sent, and no number is connected. Start a worker (“npm start”, systemctl or compose) and check its log.',
      },
      sync_late: {
        title: (count) => `${plural(count, 'program has', 'programs have')} waited for more than a minute`,
        text: 'No program should wait longer than 55 s. Check the workers: one may be silent while it still holds its numbers.',
      },
      overdue: {
        title: (count) => `${plural(count, 'message is', 'messages are')} past the deadline`,
        text: 'Workers expire messages at their deadline. The workers may be overloaded, or the numbers have no worker.',
      },
      jobs_failed: {
        title: (count) => `${plural(count, 'job', 'jobs')} failed or retrying`,
        text: 'Jobs only wake a worker, so no message is lost. If the count grows, search the workers’ logs for “pg-boss”.',
      },
      not_listening: {
        title: (count) => `${plural(count, 'process receives', 'processes receive')} no updates`,
        text: 'The process polls every few seconds instead, so updates are slower. It reconnects automatically. If it does not, a connection pooler may be blocking LISTEN.',
      },
      search_waits: {
        title: () => 'New messages do not come into the search index',
        text: 'Sending continues, and searches still find all messages, but are slower. Usually a database session left a transaction open that has written messages. End it in that session, or with “select pg_terminate_backend(PID)” in psql. If none is listed here, search the workers’ logs for “indexed for the search”.',
      },
    } satisfies Record<QueueTrouble, { title: (count: number) => string; text: string }>,
    writer: (
      { pid, user, application }: { pid: number; user: string; application: string },
      open: string | null,
    ) => [`PID ${pid}`, application, `user ${user}`, open && `open for ${open}`].filter(Boolean).join(', '),
    lanes: { sync: 'Sync: the program waits', async: 'Async: the program does not wait' },
    waiting: 'Waiting',
    oldest: 'Oldest',
    none: 'None',
    now: 'In progress',
    nowHelp: 'Waiting messages, messages being sent, and unconfirmed messages from the last 24 hours.',
    hour: 'In the last hour',
    hourHelp:
      'Messages given to WhatsApp Web, by their latest state, and messages that expired or were cancelled. Of scheduled ones, only those accepted in the last 25 hours.',
    refused: 'Requests refused in the last hour',
    refusedHelp:
      'Requests to send that were refused before they became a message, by error code. None was sent. A restart or an upgrade refuses them with “stopping” or “not_connected”, and cancels sync messages that wait: they count above. Async messages wait until it is over. Not counted: requests that found no server, and those from before a restore.',
    nothing: 'None.',
    deepest: 'Longest queues',
    deepestNone: 'No number has messages that wait for their turn.',
    held: 'On hold',
    waitingOn: (count: number) => plural(count, 'message', 'messages'),
    since: (duration: string) => `oldest ${duration}`,
    processes: 'Processes and jobs',
    web: 'Web processes',
    workers: 'Workers',
    listening: 'Processes that receive updates',
    jobs: 'Jobs',
    queues: { send: 'Jobs that wake a worker', other: 'Scheduled jobs' },
    job: (queue: string, state: string) => `${queue}, ${state}`,
    jobStates: {
      created: 'waiting',
      retry: 'retrying',
      active: 'active',
      completed: 'done',
      cancelled: 'cancelled',
      failed: 'failed',
    } as Record<string, string>,
  },

  settings: {
    title: 'Settings',
    lead: 'The settings of this web process. They are environment variables, read once at start. Secrets are never shown.',
    testMail: {
      send: 'Send a test email',
      done: (to: string) => `The mail server accepted a test email to ${to}`,
    },
    secret: 'Set, not shown',
    secretNone: 'Not set',
    none: 'Not set',
    sources: { environment: 'Environment', start: 'Set by npm start', default: 'Default' },
    /** By purpose. Those for tests are shown only if they are set. */
    groups: [
      {
        title: 'Address and access',
        meanings: {
          WIREBIRD_ENV:
            'In production, secrets are not generated, and administrators need two-factor authentication.',
          HOST: 'The address that the web process listens on.',
          PORT: 'The port that the web process listens on.',
          PUBLIC_URL: 'The address that people and emails use.',
          ALLOWED_HOSTS: 'Other host names under which pages are served.',
          TRUST_PROXY: 'Whether to trust a proxy’s headers for the client address.',
          SIGN_UP: 'Whether anybody can create an account.',
        },
      },
      {
        title: 'Plans and accounts',
        meanings: {
          TIME_ZONE:
            'The time zone in which a plan’s last day ends, and in which accounts without their own time zone count days.',
          GRACE_DAYS: 'Days a plan keeps working after its last paid day.',
          SANDBOX: 'Whether the simulated WhatsApp is available.',
          SANDBOX_DIR: 'The directory of the simulated WhatsApp.',
          TRIAL: 'Whether accounts without a plan can try a sandbox number in the dashboard.',
        },
      },
      {
        title: 'Sending',
        meanings: {
          NEW_CONTACTS_PER_DAY:
            'How many new people a protected number can contact in 24 hours, by the age of its link in days.',
          QUEUE_ASYNC_MAX: 'Async messages that can wait on one number.',
          QUEUE_SCHEDULED_MAX: 'Scheduled messages on one number.',
          QUEUE_NEW_CONTACTS_MAX: 'Async messages to new people that can wait on one number.',
          RECIPIENT_CHECKS_PER_DAY:
            'Phones that a number can look up in 24 hours for `POST /v1/recipients/check`.',
          RATE_SENDS_PER_MINUTE: 'Sends per minute for each number in the plan.',
          RATE_READS_PER_MINUTE: 'Reads per minute for each number in the plan.',
          RATE_BAD_KEYS_PER_MINUTE: 'Requests with a wrong key, per minute and client address.',
        },
      },
      {
        title: 'WhatsApp Web and workers',
        meanings: {
          CHROMIUM_PATH: 'The browser for sessions. If not set, an installed or bundled one is used.',
          WHATSAPP_BUILD:
            'The build of WhatsApp Web that numbers start on: latest, last-good or a kept version.',
          DRAIN_SECONDS:
            'How long a worker has to hand over its numbers when it stops. Messages that are being sent get at most 8 seconds of it.',
          STOP_NOTICE_SECONDS:
            'How long a web process that is being stopped still accepts requests, so that the proxy can switch to another one.',
        },
      },
      {
        title: 'Files and webhooks',
        meanings: {
          MEDIA_PORTS: 'Ports from which files can be downloaded, and to which webhooks are sent.',
          MEDIA_ALLOW_HOSTS: 'Hosts in your own network from which files can be downloaded.',
          WEBHOOK_ALLOW_HOSTS: 'Hosts in your own network that may receive webhooks.',
          WEBHOOK_RETENTION_DAYS:
            'Days for which webhook events are kept, for replay. An account can keep its own for less.',
        },
      },
      {
        title: 'Email and alerts',
        meanings: {
          SMTP_URL: 'The mail server. If not set, no email is sent.',
          MAIL_FROM: 'The sender address of all emails.',
          REFUSED_ALERT:
            'An account gets an alert when more requests from a number than this are refused within 10 minutes.',
        },
      },
      {
        title: 'Data and logs',
        meanings: {
          DATABASE_URL: 'The PostgreSQL database. If not set, the embedded one is used.',
          DATA_DIR: 'Where profiles, files, secrets and logs are kept.',
          DISK_FREE_MB_MIN:
            'If the disk has less free space than this (MB), numbers are disconnected until there is room.',
          REQUEST_LOG_DAYS: 'Days for which API requests are logged, with their content masked.',
          LOG_LEVEL: 'How much is logged.',
          METRICS_PORT: 'The port for Prometheus metrics. If not set, metrics are off.',
          METRICS_HOST: 'The address that the metrics are served on.',
        },
      },
      {
        title: 'Secrets',
        meanings: {
          AUTH_SECRET: 'Signs dashboard sessions. If not set, it is generated outside production.',
          KEY_PEPPER:
            'A secret that is mixed into the stored hash of each API key. If not set, it is generated outside production.',
          DATA_KEY: 'Encrypts stored secrets. If not set, it is generated outside production.',
          WIREBIRD_SECRETS: 'With generate, these secrets are generated in production too.',
        },
      },
      {
        title: 'For tests only',
        meanings: {
          SANDBOX_SEND_INTERVAL_MS: 'The interval on sandbox numbers.',
          SANDBOX_ACK_TIMEOUT_MS: 'How long a sandbox message waits for its acknowledgement.',
          SANDBOX_LEASE_MS: 'The lease time of a sandbox number.',
          SANDBOX_RESTART_PAUSE_MS_MAX: 'The longest wait before a sandbox session restarts.',
        },
      },
    ] satisfies { title: string; meanings: Partial<Record<SettingName, string>> }[],
  },
} as const;
