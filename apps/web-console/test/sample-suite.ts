import type { ServiceView, SuiteView } from '@chancela/demo/contract'

/** A suite in the middle of its growth: every state once, every optional field both present and absent. */
export function sampleSuite(): SuiteView {
  return {
    version: '0.1.0',
    startedAt: '2026-03-02T12:00:00.000Z',
    services: [sessionServer, cloudHub, pkiCore, ...planned, demoPki, newer],
    holders,
    trustAnchors: 'data/demo/roots.pem',
  }
}

const sessionServer: ServiceView = {
  name: 'session-server',
  title: 'Signing session server',
  summary: 'A client opens a session with CPF and PIN, then signs PDFs under it.',
  specification: 'document 1, part A',
  baseUrl: 'http://localhost:8081',
  state: 'running',
  checks: [
    { name: 'store', ok: true },
    { name: 'vault', ok: true },
  ],
  healthUrl: 'http://localhost:8081/health',
  referenceUrl: 'http://localhost:8081/reference',
  openApiUrl: 'http://localhost:8081/openapi.json',
  apiKey: 'cs_demo_5cf1c2f0a9b04e0f8d0b0c61',
  apiKeyHeader: 'X-Api-Key',
  curl: [
    {
      title: 'Open a session with CPF and PIN',
      command:
        'curl -s -X POST http://localhost:8081/v1/sessions -H \'X-Api-Key: cs_demo_5cf1c2f0a9b04e0f8d0b0c61\' -H \'Content-Type: application/json\' -d \'{"cpf":"52998224725","pin":"1234"}\'',
    },
    {
      title: 'List the open sessions',
      command: "curl -s http://localhost:8081/v1/sessions -H 'X-Api-Key: cs_demo_5cf1c2f0a9b04e0f8d0b0c61'",
    },
  ],
}

const cloudHub: ServiceView = {
  name: 'cloud-hub',
  title: 'Cloud certificate hub',
  summary: 'One API in front of every cloud certificate provider.',
  specification: 'document 1, part B',
  baseUrl: 'http://localhost:8082',
  state: 'degraded',
  checks: [
    { name: 'store', ok: true },
    { name: 'provider', ok: false },
  ],
  healthUrl: 'http://localhost:8082/health',
  curl: [{ title: 'Can it work?', command: 'curl http://localhost:8082/ready' }],
}

const pkiCore: ServiceView = {
  name: 'pki-core',
  title: 'PKI core service',
  summary: 'Certificate authentication, biometric sessions, signature sessions.',
  specification: 'document 1, part C',
  baseUrl: 'http://localhost:8083',
  state: 'stopped',
  checks: [],
  curl: [{ title: 'Ask a service that is stopped', command: 'curl -s http://localhost:8083/health' }],
}

const planned: ServiceView[] = [
  {
    name: 'batch-signer',
    title: 'Batch signer',
    summary: 'Watched folders and uploads become signed files, with approvals.',
    specification: 'document 2, full surface',
    baseUrl: 'http://localhost:8084',
    state: 'not-built',
    checks: [],
    curl: [],
  },
  {
    name: 'batch-signer-compact',
    title: 'Batch signer, compact variant',
    summary: 'The smaller REST face of the same jobs.',
    specification: 'document 2, compact variant',
    baseUrl: 'http://localhost:8080',
    state: 'not-built',
    checks: [],
    curl: [],
  },
  {
    name: 'document-platform',
    title: 'Document-signature platform',
    summary: 'Documents with signing flows, folders, organizations, webhooks.',
    specification: 'document 3, part A',
    baseUrl: 'http://localhost:8085',
    state: 'not-built',
    checks: [],
    curl: [],
  },
]

const demoPki: ServiceView = {
  name: 'demo-pki',
  title: 'Demo PKI',
  summary: 'CA, CRL, OCSP and TSA in the shape of ICP-Brasil, with faults on request.',
  specification: 'demo only',
  baseUrl: 'http://localhost:8087',
  state: 'running',
  checks: [{ name: 'keys', ok: true }],
  healthUrl: 'http://localhost:8087/health',
  curl: [
    { title: 'Fetch the trust anchors', command: 'curl http://localhost:8087/roots.pem' },
    {
      title: 'Stamp a file with the time',
      command:
        "echo hello > hello.txt && openssl ts -query -data hello.txt -sha256 -cert | curl -s -H 'Content-Type: application/timestamp-query' --data-binary @- http://localhost:8087/tsa | openssl ts -reply -in /dev/stdin -text",
    },
  ],
}

/** Not in the console's catalogue: shown with the server's own words in every language. */
const newer: ServiceView = {
  name: 'archive',
  title: 'Evidence archive',
  summary: 'A service newer than this page.',
  specification: 'demo only',
  baseUrl: 'http://localhost:8090',
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
