import type { INodeProperties } from 'n8n-workflow';

const STATUSES = [
  'cancelled',
  'delivered',
  'expired',
  'failed',
  'queued',
  'read',
  'sending',
  'sent',
  'unknown',
];

const many = { resource: ['message'], operation: ['getAll'] };

/** The fields of all operations except sending. */
export const otherProperties: INodeProperties[] = [
  {
    displayName: 'Message ID',
    name: 'messageId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'msg_…',
    description: 'The ID that sending the message returned',
    displayOptions: { show: { resource: ['message'], operation: ['cancel', 'get'] } },
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: { show: many },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { ...many, returnAll: [false] } },
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    displayOptions: { show: many },
    options: [
      {
        displayName: 'Reference',
        name: 'reference',
        type: 'string',
        default: '',
        description: 'Messages that were sent with this reference',
      },
      {
        displayName: 'Since',
        name: 'since',
        type: 'dateTime',
        default: '',
        description: 'Messages that were accepted at this time or later',
      },
      {
        displayName: 'Status',
        name: 'status',
        type: 'options',
        options: STATUSES.map((value) => ({ name: value[0].toUpperCase() + value.slice(1), value })),
        default: 'failed',
        description: 'Messages in this state',
      },
      {
        displayName: 'To',
        name: 'to',
        type: 'string',
        default: '',
        placeholder: '4915228817386',
        description: 'Messages to this number or group',
      },
      {
        displayName: 'Until',
        name: 'until',
        type: 'dateTime',
        default: '',
        description: 'Messages that were accepted before this time',
      },
    ],
  },
  {
    displayName: 'Phone Numbers',
    name: 'phones',
    type: 'string',
    required: true,
    default: '',
    placeholder: '4915228817386, 4915112345678',
    description: 'Up to 50 phone numbers with country code, separated by commas',
    displayOptions: { show: { resource: ['recipient'], operation: ['check'] } },
  },
];
