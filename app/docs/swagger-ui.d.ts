declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    domNode: HTMLElement;
    spec: object;
    [option: string]: unknown;
  }
  export default function SwaggerUI(options: SwaggerOptions): unknown;
}
