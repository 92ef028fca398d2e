import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export const KINDS: INodePropertyOptions[] = [
  { name: 'Audio', value: 'audio' },
  { name: 'Contact', value: 'contact' },
  { name: 'Document', value: 'document' },
  { name: 'Image', value: 'image' },
  { name: 'Location', value: 'location' },
  { name: 'Text', value: 'text' },
];

const of = (kinds: string[], ...fields: INodeProperties[]): INodeProperties[] =>
  fields.map((field) => ({
    ...field,
    displayOptions: { show: { resource: ['message'], operation: ['send'], kind: kinds } },
  }));

const url = (what: string): INodeProperties => ({
  displayName: 'URL',
  name: 'url',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'https://example.com/…',
  description: `The public address of the ${what}, at most 16 MB`,
});

/** What differs between the kinds of message. The names are those of the API. */
const kindFields: INodeProperties[] = [
  ...of(['text'], {
    displayName: 'Text',
    name: 'body',
    type: 'string',
    default: '',
    typeOptions: { rows: 4 },
    required: true,
    description: 'At most 8000 characters',
  }),
  ...of(['image'], url('image')),
  ...of(['document'], url('file')),
  ...of(['audio'], url('audio file')),
  ...of(['document'], {
    displayName: 'File Name',
    name: 'filename',
    type: 'string',
    default: '',
    required: true,
    placeholder: 'offer.pdf',
    description: 'The name that the recipient sees',
  }),
  ...of(['image', 'document'], {
    displayName: 'Caption',
    name: 'caption',
    type: 'string',
    default: '',
    typeOptions: { rows: 2 },
    description: 'Text below the file. Leave it empty for none.',
  }),
  ...of(
    ['location'],
    {
      displayName: 'Latitude',
      name: 'latitude',
      type: 'number',
      typeOptions: { minValue: -90, maxValue: 90, numberPrecision: 6 },
      required: true,
      default: 0,
      description: 'Degrees, north is positive',
    },
    {
      displayName: 'Longitude',
      name: 'longitude',
      type: 'number',
      typeOptions: { minValue: -180, maxValue: 180, numberPrecision: 6 },
      required: true,
      default: 0,
      description: 'Degrees, east is positive',
    },
    {
      displayName: 'Place Name',
      name: 'name',
      type: 'string',
      default: '',
      description: 'Leave it empty for none',
    },
    {
      displayName: 'Address',
      name: 'address',
      type: 'string',
      default: '',
      description: 'Leave it empty for none',
    },
  ),
  ...of(
    ['contact'],
    {
      displayName: 'Contact Name',
      name: 'contactName',
      type: 'string',
      default: '',
      required: true,
    },
    {
      displayName: 'Contact Phone',
      name: 'contactPhone',
      type: 'string',
      default: '',
      required: true,
      placeholder: '4915112345678',
      description: 'The number of the contact, with country code',
    },
  ),
];

const show = { resource: ['message'], operation: ['send'] };

export const sendProperties: INodeProperties[] = [
  {
    displayName: 'Kind',
    name: 'kind',
    type: 'options',
    noDataExpression: true,
    options: KINDS,
    default: 'text',
    displayOptions: { show },
  },
  {
    displayName: 'To',
    name: 'to',
    type: 'string',
    required: true,
    default: '',
    placeholder: '4915228817386',
    description: 'A phone number with country code, or the ID of a group that ends in @g.us',
    displayOptions: { show },
  },
  ...kindFields,
  {
    displayName: 'Wait for Outcome',
    name: 'waitForOutcome',
    type: 'boolean',
    default: false,
    description:
      'Whether to wait up to 50 seconds until the message is sent. If its turn has not come by then, its status is queued and it is sent later. Without waiting, the status is queued at once; the Wirebird Trigger reports the outcome.',
    displayOptions: { show },
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    displayOptions: { show },
    options: [
      {
        displayName: 'Check Only',
        name: 'dryRun',
        type: 'boolean',
        default: false,
        description: 'Whether to only check the message and send nothing',
      },
      {
        displayName: 'Expires In',
        name: 'expiresInSeconds',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 86400 },
        default: 3600,
        description: 'Seconds after which the message is not sent any more if its turn has not come',
      },
      {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: '',
        placeholder: 'order-1042',
        description:
          'Two messages with the same key within 24 hours are sent once. Use one for each message, such as your order number and what the message is about. If empty, the node makes a key from the execution and the item, so that a retry sends nothing twice.',
      },
      {
        displayName: 'Reference',
        name: 'reference',
        type: 'string',
        default: '',
        placeholder: 'order-1042',
        description: 'Your own ID for the message. Events and lists have it.',
      },
      {
        displayName: 'Send At',
        name: 'sendAt',
        type: 'dateTime',
        default: '',
        description: 'When to send the message, within the next 30 days',
      },
    ],
  },
];
