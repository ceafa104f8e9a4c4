import type { RunningSurface } from '@chancela/service-kernel/service'
import type { DemoFile } from '../demo-file.ts'

/** Lines to paste into a terminal: what every service answers, then what each is for. */
export function curlLines(
  surface: RunningSurface,
  known: Partial<DemoFile['services'][string]> = {},
): { title: string; command: string }[] {
  const { definition, baseUrl } = surface
  const { apiKey, redirectUri = '' } = known
  const alive = { title: 'Is it alive?', command: `curl ${baseUrl}${definition.healthPath}` }
  const key = apiKey && definition.apiKey ? `-H '${definition.apiKey.header}: ${apiKey}' ` : ''
  return [alive, ...(samples[definition.name]?.(baseUrl, key, redirectUri) ?? [])]
}

type Sample = (baseUrl: string, key: string, redirectUri: string) => { title: string; command: string }[]

const samples: Readonly<Record<string, Sample>> = {
  'demo-pki': (baseUrl, key) => [
    { title: 'Fetch the trust anchors', command: `curl ${baseUrl}/roots.pem` },
    {
      title: 'Read a revocation list',
      command: `curl -s ${baseUrl}/crl/level-2.crl | openssl crl -inform DER -noout -text`,
    },
    {
      title: 'Stamp a file with the time',
      command: `echo hello > hello.txt && openssl ts -query -data hello.txt -sha256 -cert | curl -s -H 'Content-Type: application/timestamp-query' --data-binary @- ${baseUrl}/tsa | openssl ts -reply -in /dev/stdin -text`,
    },
    { title: 'List the certificates it has issued', command: `curl ${key}${baseUrl}/api/certificates` },
    {
      title: 'Issue a certificate to a new person',
      command: `curl ${key}-H 'Content-Type: application/json' -d '{"name":"Ana Teste","cpf":"52998224725","password":"1234"}' ${baseUrl}/api/people`,
    },
    {
      title: 'Make the OCSP responder late, once',
      command: `curl -X PUT ${key}-H 'Content-Type: application/json' -d '{"kind":"late","delayMs":2000,"times":1}' ${baseUrl}/api/faults/ocsp`,
    },
  ],
  'batch-signer': (baseUrl, key) => [
    {
      title: 'Have a file signed by dropping it into the watched folder',
      command: 'cp data/demo/samples/contrato.pdf data/batch-signer/input/ && sleep 3 && ls data/batch-signer/output',
    },
    {
      title: 'Have a file signed by sending it',
      command: `curl ${key}-F 'file=@data/demo/samples/nota.xml' ${baseUrl}/api/files`,
    },
    { title: 'See what became of the files', command: `curl ${key}'${baseUrl}/api/jobs?pageSize=5'` },
    { title: 'Pause the pipeline', command: `curl -X POST ${key}${baseUrl}/api/pipeline/pause` },
    { title: 'Resume the pipeline', command: `curl -X POST ${key}${baseUrl}/api/pipeline/resume` },
  ],
  'batch-signer-compact': (baseUrl, key) => [
    {
      title: 'Have a file signed and encrypted',
      command: `curl ${key}-F 'file=@data/demo/samples/aviso.txt' -F encryptionEnabled=true ${baseUrl}/api/files`,
    },
    { title: 'Count the jobs', command: `curl ${key}${baseUrl}/metrics` },
  ],
  'document-platform': (baseUrl, key) => [
    {
      title: 'Send a file in',
      command: `curl ${key}-F 'file=@data/demo/samples/contrato.pdf' ${baseUrl}/api/uploads`,
    },
    { title: 'List the documents', command: `curl ${key}'${baseUrl}/api/documents?limit=5'` },
    { title: 'See what events there are', command: `curl ${key}${baseUrl}/api/webhooks/event-types` },
  ],
  'session-server': (baseUrl, key) => [
    {
      title: 'Open a session with CPF and PIN of a holder',
      command: `SESSION=$(curl -s ${key}-H 'Content-Type: application/json' -d "$(node -p "const { cpf, pin } = require('./data/demo.json').holders[0]; JSON.stringify({ cpf, pin })")" ${baseUrl}/v1/sessions | node -p 'JSON.parse(require("fs").readFileSync(0)).sessionId'); echo $SESSION`,
    },
    { title: 'See its certificate', command: `curl ${key}"${baseUrl}/v1/certificates/info?sessionId=$SESSION"` },
    {
      title: 'Sign a PDF under it',
      command: `curl ${key}-F sessionId=$SESSION -F 'document=@data/demo/samples/contrato.pdf' ${baseUrl}/v1/signatures`,
    },
    {
      title: 'End it',
      command: `curl ${key}-H 'Content-Type: application/json' -d '{"sessionId":"'$SESSION'"}' ${baseUrl}/v1/sessions/deactivate`,
    },
  ],
  'cloud-hub': (baseUrl, key, redirectUri) => [
    {
      title: 'Ask for a session, then open its authUrl in a browser and log in with CPF and PIN of a holder',
      command: `curl -s ${key}-H 'Content-Type: application/json' -d '{"type":"SignatureSession","redirectUri":"${redirectUri}"}' ${baseUrl}/api/sessions/services/NuvemDemo`,
    },
    {
      title: 'See which providers hold a certificate of a holder',
      command: `curl ${key}"${baseUrl}/api/sessions/services?identifier=$(node -p "require('./data/demo.json').holders[0].cpf")"`,
    },
    ...sessionLines(baseUrl, key),
  ],
  'demo-cloud': (baseUrl) => [
    {
      title: 'Make it drop the next signature after making it',
      command: `curl -H 'Content-Type: application/json' -d '{"operation":"signature","fault":"drop-after-signing"}' ${baseUrl}/admin/faults`,
    },
    {
      title: 'Make it like other providers: hashes in hexadecimal, short lifetimes',
      command: `curl -H 'Content-Type: application/json' -d '{"hashEncoding":"hex","shortenLifetime":60}' ${baseUrl}/admin/quirks`,
    },
    {
      title: 'Make it well again',
      command: `curl -H 'Content-Type: application/json' -d '{}' ${baseUrl}/admin/recover`,
    },
  ],
  home: (baseUrl) => [
    { title: 'Everything this page shows', command: `curl ${baseUrl}/api/suite` },
    { title: 'The e-mails the suite has sent', command: `curl ${baseUrl}/api/mail` },
  ],
}

/** What a client does with a session of the cloud hub; `SESSION` is what the redirect URI got. */
export function sessionLines(baseUrl: string, key: string): { title: string; command: string }[] {
  return [
    {
      title: 'See the certificate of the session',
      command: `curl -s ${key}"${baseUrl}/api/sessions/certificate?session=$SESSION" | node -p 'const { subject } = new crypto.X509Certificate(Buffer.from(JSON.parse(fs.readFileSync(0)), "base64")); subject'`,
    },
    {
      title: 'Sign the hash of a file under it',
      command: `curl ${key}-H 'Content-Type: application/json' -d '{"session":"'$SESSION'","digestAlgorithm":"SHA-256","hash":"'$(openssl dgst -sha256 -binary data/demo/samples/contrato.pdf | base64)'"}' ${baseUrl}/api/sessions/sign-hash`,
    },
  ]
}
