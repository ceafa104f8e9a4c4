import type { ServiceView, SuiteView } from '@chancela/demo/contract'

/**
 * A partly started suite: every state once, every optional field both present and absent. Its texts are those of the
 * real services, but for two that no demo has; the demo's tests compare them.
 */
export function sampleSuite(): SuiteView {
  return {
    version: '0.1.0',
    startedAt: '2026-03-02T12:00:00.000Z',
    services: [sessionServer, sessionConsole, cloudHub, planned, batchSigner, documentPlatform, demoPki, newer],
    holders,
    trustAnchors: 'data/demo/roots.pem',
    walk: { missing: [] },
  }
}

const sessionServer: ServiceView = {
  name: 'session-server',
  title: { 'pt-BR': 'Servidor de sessões de assinatura', 'en-US': 'Signing session server' },
  summary: {
    'pt-BR': 'O cliente abre uma sessão com CPF e PIN e assina PDFs dentro dela.',
    'en-US': 'A client opens a session with CPF and PIN, then signs PDFs under it.',
  },
  specification: { 'pt-BR': 'documento 1, parte A', 'en-US': 'document 1, part A' },
  baseUrl: 'http://localhost:8081',
  state: 'running',
  checks: [
    { name: 'database', ok: true },
    { name: 'signature-service', ok: true },
  ],
  healthUrl: 'http://localhost:8081/health',
  referenceUrl: 'http://localhost:8081/scalar/v1',
  openApiUrl: 'http://localhost:8081/openapi/v1.json',
  apiKey: '5cf1c2f0a9b04e0f8d0b0c615cf1c2f0',
  apiKeyHeader: 'X-API-Key',
  curl: [
    {
      title: { 'pt-BR': 'Ver o certificado dela', 'en-US': 'See its certificate' },
      command: `curl -H 'X-API-Key: 5cf1c2f0a9b04e0f8d0b0c615cf1c2f0' "http://localhost:8081/v1/certificates/info?sessionId=$SESSION"`,
    },
    {
      title: { 'pt-BR': 'Assinar um PDF dentro dela', 'en-US': 'Sign a PDF under it' },
      command:
        "curl -H 'X-API-Key: 5cf1c2f0a9b04e0f8d0b0c615cf1c2f0' -F sessionId=$SESSION -F 'document=@data/demo/samples/contrato.pdf' http://localhost:8081/v1/signatures",
    },
  ],
}

const sessionConsole: ServiceView = {
  name: 'session-server-console',
  title: { 'pt-BR': 'Servidor de sessões de assinatura, console', 'en-US': 'Signing session server, console' },
  summary: {
    'pt-BR': 'Administradores cuidam de aplicações, certificados e estações; os agentes das estações se conectam aqui.',
    'en-US': 'Administrators look after applications, certificates and workstations; workstation agents connect here.',
  },
  specification: { 'pt-BR': 'documento 1, parte A', 'en-US': 'document 1, part A' },
  baseUrl: 'http://localhost:8088',
  state: 'running',
  checks: [{ name: 'database', ok: true }],
  healthUrl: 'http://localhost:8088/health',
  signIn: { url: 'http://localhost:8088', email: 'helena@hospital.example', password: 'senha-da-helena' },
  curl: [],
}

const cloudHub: ServiceView = {
  name: 'cloud-hub',
  title: { 'pt-BR': 'Hub de certificados em nuvem', 'en-US': 'Cloud certificate hub' },
  summary: {
    'pt-BR': 'Uma só API diante de todos os provedores de certificado em nuvem.',
    'en-US': 'One API in front of every cloud certificate provider.',
  },
  specification: { 'pt-BR': 'documento 1, parte B', 'en-US': 'document 1, part B' },
  baseUrl: 'http://localhost:8082',
  state: 'running',
  checks: [{ name: 'database', ok: true }],
  healthUrl: 'http://localhost:8082/health',
  curl: [],
}

/** A service that is planned; the suite has none today, and will again. */
const planned: ServiceView = {
  name: 'notary',
  title: { 'pt-BR': 'Cartório digital', 'en-US': 'Digital notary' },
  summary: { 'pt-BR': 'Um serviço que ainda não existe.', 'en-US': 'A service that does not exist yet.' },
  specification: { 'pt-BR': 'só na demonstração', 'en-US': 'demo only' },
  baseUrl: 'http://localhost:8098',
  state: 'not-built',
  checks: [],
  curl: [],
}

const batchSigner: ServiceView = {
  name: 'batch-signer',
  title: { 'pt-BR': 'Assinador em lote', 'en-US': 'Batch signer' },
  summary: {
    'pt-BR': 'Pastas vigiadas e envios viram arquivos assinados, e nenhum se perde.',
    'en-US': 'Watched folders and uploads become signed files, and none is ever lost.',
  },
  specification: { 'pt-BR': 'documento 2, superfície completa', 'en-US': 'document 2, full surface' },
  baseUrl: 'http://localhost:8084',
  state: 'stopped',
  checks: [],
  curl: [],
}

const documentPlatform: ServiceView = {
  name: 'document-platform',
  title: { 'pt-BR': 'Plataforma de assinatura de documentos', 'en-US': 'Document-signature platform' },
  summary: {
    'pt-BR': 'Documentos com fluxos de assinatura, pastas, organizações e webhooks.',
    'en-US': 'Documents with signing flows, folders, organizations and webhooks.',
  },
  specification: { 'pt-BR': 'documento 3, parte A', 'en-US': 'document 3, part A' },
  baseUrl: 'http://localhost:8085',
  state: 'degraded',
  checks: [
    { name: 'database', ok: true },
    { name: 'storage', ok: false },
  ],
  healthUrl: 'http://localhost:8085/api/health',
  signIn: { url: 'http://localhost:8085', email: 'helena@hospital.example', password: 'senha-da-helena' },
  curl: [],
}

const demoPki: ServiceView = {
  name: 'demo-pki',
  title: { 'pt-BR': 'PKI de demonstração', 'en-US': 'Demo PKI' },
  summary: {
    'pt-BR': 'AC, LCR, OCSP e carimbo do tempo no formato da ICP-Brasil, com falhas a pedido.',
    'en-US': 'CA, CRL, OCSP and TSA in the shape of ICP-Brasil, with faults on request.',
  },
  specification: { 'pt-BR': 'só na demonstração', 'en-US': 'demo only' },
  baseUrl: 'http://localhost:8087',
  state: 'running',
  checks: [{ name: 'database', ok: true }],
  healthUrl: 'http://localhost:8087/api/health',
  curl: [
    {
      title: { 'pt-BR': 'Buscar as âncoras de confiança', 'en-US': 'Fetch the trust anchors' },
      command: 'curl http://localhost:8087/roots.pem',
    },
    {
      title: { 'pt-BR': 'Carimbar um arquivo com o tempo', 'en-US': 'Stamp a file with the time' },
      command:
        "echo hello > hello.txt && openssl ts -query -data hello.txt -sha256 -cert | curl -s -H 'Content-Type: application/timestamp-query' --data-binary @- http://localhost:8087/tsa | openssl ts -reply -in /dev/stdin -text",
    },
  ],
}

/** A service no demo has: the page renders whatever the server sends. */
const newer: ServiceView = {
  name: 'archive',
  title: { 'pt-BR': 'Arquivo de provas', 'en-US': 'Evidence archive' },
  summary: { 'pt-BR': 'Um serviço mais novo que esta página.', 'en-US': 'A service newer than this page.' },
  specification: { 'pt-BR': 'só na demonstração', 'en-US': 'demo only' },
  baseUrl: 'http://localhost:8099',
  state: 'running',
  checks: [],
  curl: [],
}

const holders: SuiteView['holders'] = [
  {
    name: 'Maria da Silva Souza',
    cpf: '52998224725',
    pin: '1234',
    email: 'maria.souza@example.com',
    custody: 'vault',
    pkcs12: 'data/demo/holder-1.p12',
  },
  {
    name: 'João Pedro Albuquerque Cavalcanti de Oliveira',
    cpf: '11144477735',
    pin: '987654',
    email: 'joao.pedro.albuquerque.cavalcanti@example.com',
    custody: 'workstation',
    pkcs12: 'data/demo/holder-2.p12',
  },
  {
    name: 'Ana Beatriz Lima',
    cpf: '12345678909',
    pin: '2468',
    email: 'ana.lima@example.com',
    custody: 'smart card',
    pkcs12: 'data/demo/holder-3.p12',
  },
]
