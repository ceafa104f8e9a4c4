import type { Bilingual } from '@chancela/service-kernel/i18n'
import type { RunningSurface } from '@chancela/service-kernel/service'
import type { DemoFile } from '../demo-file.ts'

/** A line to paste into a terminal, and what it is for. */
interface CurlLine {
  readonly title: Bilingual
  readonly command: string
}

/** Commands to try each service with; a console has none. */
export function curlLines(
  { definition, baseUrl }: RunningSurface,
  { apiKey, redirectUri = '' }: Partial<DemoFile['services'][string]> = {},
): readonly CurlLine[] {
  const key = apiKey && definition.apiKey ? `-H '${definition.apiKey.header}: ${apiKey}' ` : ''
  return samples[definition.name]?.(baseUrl, key, redirectUri) ?? []
}

type Sample = (baseUrl: string, key: string, redirectUri: string) => readonly CurlLine[]

const samples: Readonly<Record<string, Sample>> = {
  'demo-pki': (baseUrl, key) => [
    {
      title: { 'pt-BR': 'Buscar as âncoras de confiança', 'en-US': 'Fetch the trust anchors' },
      command: `curl ${baseUrl}/roots.pem`,
    },
    {
      title: { 'pt-BR': 'Ler uma lista de certificados revogados', 'en-US': 'Read a revocation list' },
      command: `curl -s ${baseUrl}/crl/level-2.crl | openssl crl -inform DER -noout -text`,
    },
    {
      title: { 'pt-BR': 'Carimbar um arquivo com o tempo', 'en-US': 'Stamp a file with the time' },
      command: `echo hello > hello.txt && openssl ts -query -data hello.txt -sha256 -cert | curl -s -H 'Content-Type: application/timestamp-query' --data-binary @- ${baseUrl}/tsa | openssl ts -reply -in /dev/stdin -text`,
    },
    {
      title: { 'pt-BR': 'Listar os certificados emitidos', 'en-US': 'List the certificates it has issued' },
      command: `curl ${key}${baseUrl}/api/certificates`,
    },
    {
      title: { 'pt-BR': 'Emitir um certificado para uma nova pessoa', 'en-US': 'Issue a certificate to a new person' },
      command: `curl ${key}-H 'Content-Type: application/json' -d '{"name":"Ana Teste","cpf":"52998224725","password":"1234"}' ${baseUrl}/api/people`,
    },
    {
      title: { 'pt-BR': 'Atrasar o respondedor OCSP, uma vez', 'en-US': 'Make the OCSP responder late, once' },
      command: `curl -X PUT ${key}-H 'Content-Type: application/json' -d '{"kind":"late","delayMs":2000,"times":1}' ${baseUrl}/api/faults/ocsp`,
    },
  ],
  'batch-signer': (baseUrl, key) => [
    {
      title: {
        'pt-BR': 'Assinar um arquivo deixando-o na pasta vigiada',
        'en-US': 'Have a file signed by dropping it into the watched folder',
      },
      command: 'cp data/demo/samples/contrato.pdf data/batch-signer/input/ && sleep 3 && ls data/batch-signer/output',
    },
    {
      title: { 'pt-BR': 'Assinar um arquivo enviando-o', 'en-US': 'Have a file signed by sending it' },
      command: `curl ${key}-F 'file=@data/demo/samples/nota.xml' ${baseUrl}/api/files`,
    },
    {
      title: { 'pt-BR': 'Ver o que foi feito dos arquivos', 'en-US': 'See what became of the files' },
      command: `curl ${key}'${baseUrl}/api/jobs?pageSize=5'`,
    },
    {
      title: { 'pt-BR': 'Pausar a esteira', 'en-US': 'Pause the pipeline' },
      command: `curl -X POST ${key}${baseUrl}/api/pipeline/pause`,
    },
    {
      title: { 'pt-BR': 'Retomar a esteira', 'en-US': 'Resume the pipeline' },
      command: `curl -X POST ${key}${baseUrl}/api/pipeline/resume`,
    },
  ],
  'batch-signer-compact': (baseUrl, key) => [
    {
      title: { 'pt-BR': 'Assinar e cifrar um arquivo', 'en-US': 'Have a file signed and encrypted' },
      command: `curl ${key}-F 'file=@data/demo/samples/aviso.txt' -F encryptionEnabled=true ${baseUrl}/api/files`,
    },
    { title: { 'pt-BR': 'Contar os trabalhos', 'en-US': 'Count the jobs' }, command: `curl ${key}${baseUrl}/metrics` },
  ],
  'document-platform': (baseUrl, key) => [
    {
      title: { 'pt-BR': 'Enviar um arquivo', 'en-US': 'Send a file in' },
      command: `curl ${key}-F 'file=@data/demo/samples/contrato.pdf' ${baseUrl}/api/uploads`,
    },
    {
      title: { 'pt-BR': 'Listar os documentos', 'en-US': 'List the documents' },
      command: `curl ${key}'${baseUrl}/api/documents?limit=5'`,
    },
    {
      title: { 'pt-BR': 'Ver os eventos que existem', 'en-US': 'See what events there are' },
      command: `curl ${key}${baseUrl}/api/webhooks/event-types`,
    },
  ],
  'credential-platform': (baseUrl, key) => [
    {
      title: { 'pt-BR': 'Listar as instituições', 'en-US': 'List the institutions' },
      command: `curl ${key}${baseUrl}/api/institutes`,
    },
    {
      title: { 'pt-BR': 'Ver o que foi feito', 'en-US': 'See what was done' },
      command: `curl ${key}'${baseUrl}/api/events?pageSize=5'`,
    },
  ],
  'pki-core': (baseUrl, key) => [
    {
      title: {
        'pt-BR': 'Preparar uma autenticação: o que o titular deve assinar',
        'en-US': 'Prepare an authentication: what the holder has to sign',
      },
      command: `curl ${key}-X POST ${baseUrl}/api/v2/authentication`,
    },
    {
      title: {
        'pt-BR': 'Autenticar com o certificado de um titular',
        'en-US': 'Authenticate with the certificate of a holder',
      },
      command: authentication(baseUrl, key),
    },
    {
      title: { 'pt-BR': 'Ver em quem a conta confia', 'en-US': 'See whom the subscription trusts' },
      command: `curl ${key}${baseUrl}/api/security-contexts`,
    },
  ],
  'session-server': (baseUrl, key) => [
    {
      title: {
        'pt-BR': 'Abrir uma sessão com CPF e PIN de um titular',
        'en-US': 'Open a session with CPF and PIN of a holder',
      },
      command: `SESSION=$(curl -s ${key}-H 'Content-Type: application/json' -d "$(node -p "const { cpf, pin } = require('./data/demo.json').holders[0]; JSON.stringify({ cpf, pin })")" ${baseUrl}/v1/sessions | node -p 'JSON.parse(require("fs").readFileSync(0)).sessionId'); echo $SESSION`,
    },
    {
      title: { 'pt-BR': 'Ver o certificado dela', 'en-US': 'See its certificate' },
      command: `curl ${key}"${baseUrl}/v1/certificates/info?sessionId=$SESSION"`,
    },
    {
      title: { 'pt-BR': 'Assinar um PDF dentro dela', 'en-US': 'Sign a PDF under it' },
      command: `curl ${key}-F sessionId=$SESSION -F 'document=@data/demo/samples/contrato.pdf' ${baseUrl}/v1/signatures`,
    },
    {
      title: { 'pt-BR': 'Encerrá-la', 'en-US': 'End it' },
      command: `curl ${key}-H 'Content-Type: application/json' -d '{"sessionId":"'$SESSION'"}' ${baseUrl}/v1/sessions/deactivate`,
    },
  ],
  'cloud-hub': (baseUrl, key, redirectUri) => [
    {
      title: {
        'pt-BR': 'Pedir uma sessão, depois abrir sua authUrl em um navegador e entrar com CPF e PIN de um titular',
        'en-US': 'Ask for a session, then open its authUrl in a browser and log in with CPF and PIN of a holder',
      },
      command: `curl -s ${key}-H 'Content-Type: application/json' -d '{"type":"SignatureSession","redirectUri":"${redirectUri}"}' ${baseUrl}/api/sessions/services/NuvemDemo`,
    },
    {
      title: {
        'pt-BR': 'Ver quais provedores têm um certificado de um titular',
        'en-US': 'See which providers hold a certificate of a holder',
      },
      command: `curl ${key}"${baseUrl}/api/sessions/services?identifier=$(node -p "require('./data/demo.json').holders[0].cpf")"`,
    },
    ...sessionLines(baseUrl, key),
  ],
  'demo-cloud': (baseUrl) => [
    {
      title: {
        'pt-BR': 'Fazer com que perca a próxima assinatura depois de feita',
        'en-US': 'Make it drop the next signature after making it',
      },
      command: `curl -H 'Content-Type: application/json' -d '{"operation":"signature","fault":"drop-after-signing"}' ${baseUrl}/admin/faults`,
    },
    {
      title: {
        'pt-BR': 'Torná-la parecida com outros provedores: resumos em hexadecimal, validades curtas',
        'en-US': 'Make it like other providers: hashes in hexadecimal, short lifetimes',
      },
      command: `curl -H 'Content-Type: application/json' -d '{"hashEncoding":"hex","shortenLifetime":60}' ${baseUrl}/admin/quirks`,
    },
    {
      title: { 'pt-BR': 'Torná-la sadia de novo', 'en-US': 'Make it well again' },
      command: `curl -H 'Content-Type: application/json' -d '{}' ${baseUrl}/admin/recover`,
    },
  ],
  home: (baseUrl) => [
    {
      title: { 'pt-BR': 'Tudo o que esta página mostra', 'en-US': 'Everything this page shows' },
      command: `curl ${baseUrl}/api/suite`,
    },
    {
      title: { 'pt-BR': 'Os e-mails que a suíte enviou', 'en-US': 'The e-mails the suite has sent' },
      command: `curl ${baseUrl}/api/mail`,
    },
  ],
}

/** Both steps, with openssl in place of the browser. */
const authentication = (baseUrl: string, key: string): string =>
  `PIN=$(node -p "require('./data/demo.json').holders[0].pin") && openssl pkcs12 -in data/demo/ana-souza.p12 -passin pass:$PIN -nocerts -nodes -out key.pem && openssl pkcs12 -in data/demo/ana-souza.p12 -passin pass:$PIN -clcerts -nokeys | openssl x509 -outform DER -out ana.der && curl -s ${key}-X POST ${baseUrl}/api/v2/authentication > prepared.json && node -p "require('./prepared.json').toSign.data" | base64 -d | openssl dgst -sha256 -sign key.pem -out signature && node -p "JSON.stringify({ state: require('./prepared.json').state, certificate: fs.readFileSync('ana.der', 'base64'), signature: fs.readFileSync('signature', 'base64') })" | curl -s ${key}-H 'Content-Type: application/json' -d @- ${baseUrl}/api/v2/authentication/completion; rm key.pem`

/** The requests of a client with a session of the cloud hub; `SESSION` is the value that the redirect URI received. */
export function sessionLines(baseUrl: string, key: string): readonly CurlLine[] {
  return [
    {
      title: { 'pt-BR': 'Ver o certificado da sessão', 'en-US': 'See the certificate of the session' },
      command: `curl -s ${key}"${baseUrl}/api/sessions/certificate?session=$SESSION" | node -p 'const { subject } = new crypto.X509Certificate(Buffer.from(JSON.parse(fs.readFileSync(0)), "base64")); subject'`,
    },
    {
      title: { 'pt-BR': 'Assinar o resumo de um arquivo com ela', 'en-US': 'Sign the hash of a file under it' },
      command: `curl ${key}-H 'Content-Type: application/json' -d '{"session":"'$SESSION'","digestAlgorithm":"SHA-256","hash":"'$(openssl dgst -sha256 -binary data/demo/samples/contrato.pdf | base64)'"}' ${baseUrl}/api/sessions/sign-hash`,
    },
  ]
}
