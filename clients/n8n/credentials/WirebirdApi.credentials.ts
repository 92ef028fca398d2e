import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

export class WirebirdApi implements ICredentialType {
  name = 'wirebirdApi';

  displayName = 'Wirebird API';

  icon: Icon = { light: 'file:../icons/wirebird.svg', dark: 'file:../icons/wirebird.dark.svg' };

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-wirebird#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://wirebird.example.com',
      description: 'The address of your Wirebird dashboard',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      placeholder: 'wsk_live_…',
      description: 'Create it in the Wirebird dashboard, on the API page. It sends from one number.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey.trim()}}' } },
  };

  // The address may be given with or without /v1, as in `shared/request.ts`.
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/(\\/v1)?\\/*$/, "")}}',
      url: '/v1/status',
    },
  };
}
