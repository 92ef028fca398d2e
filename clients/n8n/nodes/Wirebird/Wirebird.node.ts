import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { factsOf } from '../shared/request';
import { OPERATIONS } from './operations';
import { otherProperties } from './other.properties';
import { sendProperties } from './send.properties';

export class Wirebird implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Wirebird',
    name: 'wirebird',
    icon: { light: 'file:../../icons/wirebird.svg', dark: 'file:../../icons/wirebird.dark.svg' },
    group: ['output'],
    version: [1],
    subtitle: '={{$parameter["operation"] + ": " + ($parameter["kind"] || $parameter["resource"])}}',
    description: 'Send WhatsApp messages from your own number',
    defaults: { name: 'Wirebird' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'wirebirdApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Message', value: 'message' },
          { name: 'Number', value: 'number' },
          { name: 'Recipient', value: 'recipient' },
        ],
        default: 'message',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['message'] } },
        options: [
          {
            name: 'Cancel',
            value: 'cancel',
            action: 'Cancel a message',
            description: 'Cancel a message that waits or is scheduled',
          },
          {
            name: 'Get',
            value: 'get',
            action: 'Get a message',
            description: 'Get a message and its outcome',
          },
          {
            name: 'Get Many',
            value: 'getAll',
            action: 'Get many messages',
            description: 'Get messages of the number, newest first',
          },
          {
            name: 'Send',
            value: 'send',
            action: 'Send a message',
            description: 'Send a text, image, document, location, contact or audio file',
          },
        ],
        default: 'send',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['number'] } },
        options: [
          {
            name: 'Get Status',
            value: 'getStatus',
            action: 'Get the status of the number',
            description: 'Get whether the number is connected',
          },
        ],
        default: 'getStatus',
      },
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['recipient'] } },
        options: [
          {
            name: 'Check',
            value: 'check',
            action: 'Check phone numbers',
            description: 'Check whether phone numbers are on WhatsApp',
          },
        ],
        default: 'check',
      },
      ...sendProperties,
      ...otherProperties,
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const output: INodeExecutionData[] = [];
    const { length } = this.getInputData();
    for (let itemIndex = 0; itemIndex < length; itemIndex++) {
      const resource = this.getNodeParameter('resource', itemIndex) as string;
      const operation = this.getNodeParameter('operation', itemIndex) as string;
      const pairedItem = { item: itemIndex };
      try {
        const results = await OPERATIONS[`${resource}:${operation}`](this, itemIndex);
        output.push(...results.map((json) => ({ json, pairedItem })));
      } catch (cause) {
        const error =
          cause instanceof NodeApiError
            ? cause
            : new NodeOperationError(this.getNode(), cause as Error, { itemIndex });
        if (!this.continueOnFail()) throw error;
        // No `error` beside `json`, because n8n would drop `details`. No other fields in `json`, because n8n
        // would not use the error output.
        output.push({ json: { error: error.message, details: factsOf(error) }, pairedItem });
      }
    }
    return [output];
  }
}
