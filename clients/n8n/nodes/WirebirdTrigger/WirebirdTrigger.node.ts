import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { isSigned } from '../shared/signature';
import { createEndpoint, endpointExists, keptEndpoint, removeEndpoint } from './endpoints';

export class WirebirdTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Wirebird Trigger',
    name: 'wirebirdTrigger',
    icon: { light: 'file:../../icons/wirebird.svg', dark: 'file:../../icons/wirebird.dark.svg' },
    group: ['trigger'],
    version: [1],
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when a WhatsApp message is sent, delivered, read or has failed',
    defaults: { name: 'Wirebird Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'wirebirdApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['message.delivered', 'message.failed', 'message.unknown'],
        options: [
          {
            name: 'Message Cancelled',
            value: 'message.cancelled',
            description: 'The message was cancelled while it waited',
          },
          {
            name: 'Message Delivered',
            value: 'message.delivered',
            description: 'The message is on the recipient’s phone',
          },
          {
            name: 'Message Expired',
            value: 'message.expired',
            description: 'The deadline passed before the message could be sent. It was not sent.',
          },
          {
            name: 'Message Failed',
            value: 'message.failed',
            description: 'The message was definitely not sent',
          },
          {
            name: 'Message Read',
            value: 'message.read',
            description: 'The recipient opened the message',
          },
          {
            name: 'Message Sent',
            value: 'message.sent',
            description: 'WhatsApp’s server confirmed the message',
          },
          {
            name: 'Message Unknown',
            value: 'message.unknown',
            description: 'The message may have been sent. Do not send it again.',
          },
          {
            name: 'Number Status',
            value: 'number.status',
            description: 'The number was connected or lost its connection',
          },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await endpointExists(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        await createEndpoint(this);
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        await removeEndpoint(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject();
    const kept = keptEndpoint(this);
    const headers = this.getHeaderData();
    if (!kept || !rawBody || !isSigned({ ...headers }, rawBody, kept.secret)) {
      this.getResponseObject().status(401).send('The signature is not valid.').end();
      return { noWebhookResponse: true };
    }
    const event: IDataObject = { eventId: headers['webhook-id'], ...this.getBodyData() };
    return { workflowData: [this.helpers.returnJsonArray([event])] };
  }
}
