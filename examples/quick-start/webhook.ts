/**
 * A mutating admission webhook: annotates new objects with the name of the user
 * who creates them.
 *
 * Usage: node --import tsx webhook.ts CERTIFICATE KEY PORT
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';

interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly userInfo: { readonly username: string };
    readonly object: { readonly metadata: { readonly annotations?: Record<string, string> } };
  };
}

const [certificate = '', key = '', port = '9443'] = process.argv.slice(2);

/** The answer to a review: the same type and uid, and a JSON patch. */
function answerTo({ apiVersion, kind, request }: AdmissionReview): object {
  const patch = [
    ...(request.object.metadata.annotations === undefined
      ? [{ op: 'add', path: '/metadata/annotations', value: {} }]
      : []),
    {
      op: 'add',
      path: '/metadata/annotations/demo.example.com~1created-by',
      value: request.userInfo.username,
    },
  ];
  return {
    apiVersion,
    kind,
    response: {
      uid: request.uid,
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
    },
  };
}

const server = createServer(
  { cert: readFileSync(certificate), key: readFileSync(key) },
  (request, response) => {
    text(request)
      .then((body) => JSON.stringify(answerTo(JSON.parse(body) as AdmissionReview)))
      .then((answer) => response.setHeader('content-type', 'application/json').end(answer))
      .catch(() => response.writeHead(400).end());
  },
);
server.listen(Number(port), '127.0.0.1', () => console.log('webhook ready'));
