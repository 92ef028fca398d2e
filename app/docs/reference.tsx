'use client';

import { useEffect, useRef, useState } from 'react';
import { texts } from './texts.ts';
import 'swagger-ui-dist/swagger-ui.css';

/** Swagger UI, loaded on this page only and only from this server. */
export function Reference() {
  const place = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  useEffect(() => {
    let shown = true;
    load()
      .then(({ SwaggerUI, spec }) => {
        if (!shown || !place.current) return;
        const domNode = place.current;
        // Swagger UI renders a second <main>; a page may have only one.
        const observer = new MutationObserver(() => {
          const main = domNode.querySelector('main');
          main?.setAttribute('role', 'group');
          if (main) observer.disconnect();
        });
        observer.observe(domNode, { childList: true, subtree: true });
        SwaggerUI({ ...OPTIONS, domNode, spec });
        setState('ready');
      })
      .catch(() => shown && setState('failed'));
    return () => {
      shown = false;
    };
  }, []);

  return (
    <div className="docs-reference" aria-busy={state === 'loading'}>
      {state === 'loading' && <p role="status">{texts.try.loading}</p>}
      {state === 'failed' && <p role="alert">{texts.try.failed}</p>}
      <div ref={place} />
    </div>
  );
}

const OPTIONS = {
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // The key must not be stored in the browser.
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
  deepLinking: false,
};

async function load() {
  const [{ default: SwaggerUI }, answer] = await Promise.all([
    import('swagger-ui-dist/swagger-ui-es-bundle.js'),
    fetch('/v1/openapi.json'),
  ]);
  if (!answer.ok) throw new Error(`GET /v1/openapi.json answered ${answer.status}`);
  const document = await answer.json();
  // Requests go to the page's own origin: the content policy allows no other.
  const spec = { ...document, servers: [{ url: `${location.origin}/v1` }] };
  return { SwaggerUI, spec };
}
