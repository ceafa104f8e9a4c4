import { holderOf } from '@chancela/signature-engine/x509'
import { Pool } from 'undici'
import type { Benchmark, Contestant, Runner } from '../../harness/benchmark.ts'
import type { BenchScene } from '../../scene.ts'
import type { BatchWorld } from '../batch/batch-world.ts'
import { RSA_ALONE, rsaAlone } from '../batch/raw-signatures.ts'
import { requirePdfSignature } from '../signatures/outside-judges.ts'
import { pdfSamples } from '../signatures/sample-documents.ts'
import type { Holder } from '../signatures/signing-world.ts'
import { type DocumentsService, startDocumentsService } from './documents-service.ts'
import { type HashSigners, startHashSigners } from './hash-signers.ts'
import { LARGE_ORGANIZATION } from './many-documents.ts'

const SIGNED = 'create and sign, SQLite'
const ON_POSTGRES = 'create and sign, PostgreSQL'

/** Documents under way at once. */
const LANES = 16

/** From bytes to a signed document, through the API alone. */
export const signBenchmark = (scene: BenchScene, world: () => Promise<BatchWorld>): Benchmark => ({
  name: 'documents-sign',
  title: 'Document platform: create and sign a 20 KB PDF',
  question:
    'How many documents a second are uploaded, created and signed through the API, against the signatures alone?',
  compares: { measure: 'rate', unit: 'documents/s' },
  reference: RSA_ALONE,
  contestants: [
    rsaAlone(world),
    contestant(SIGNED, scene, world, async () => undefined),
    contestant(ON_POSTGRES, scene, world, async () => (await scene.postgres()).url),
  ],
  targets: [{ contestant: SIGNED, measure: 'ratio', atLeast: 0.45 }],
  notes: [
    `five calls for each document (bytes, document, address of the action, start, complete), ${LANES} documents under way; default settings, files and rows durable at each answer, certificate validated, signature checked`,
    'the client and its RSA run on the same two cores; one document of each turn is shown to pdfsig',
  ],
  sampleSeconds: 10,
  // Until V8 has optimized the service's code: its first thousand documents cost much more.
  warmUpMs: 20_000,
})

const contestant = (
  name: string,
  scene: BenchScene,
  world: () => Promise<BatchWorld>,
  databaseUrl: () => Promise<string | undefined>,
): Contestant => ({
  name,
  cores: 2,
  setUp: async () => {
    const { files, holders } = await world()
    const service = await startDocumentsService({
      on: scene.folder,
      databaseUrl: await databaseUrl(),
      roots: files.roots,
      organizationId: LARGE_ORGANIZATION,
    })
    const pids = name === ON_POSTGRES ? (await scene.postgres()).pids : []
    return toRunner(service, holders.rsa, pids)
  },
})

function toRunner(service: DocumentsService, holder: Holder, pids: readonly number[]): Runner {
  const signers = startHashSigners(holder.privateKey, 2)
  const client = new Client(service, holder, signers)
  return {
    pids: [service.pid, ...pids],
    run: async (forMs) => {
      const begun = performance.now()
      let last = ''
      const lane = async () => {
        let done = 0
        while (performance.now() - begun < forMs) {
          last = await client.createAndSign()
          done++
        }
        return done
      }
      const counts = await Promise.all(Array.from({ length: LANES }, lane))
      const wallMs = performance.now() - begun
      await requirePdfSignature(await client.content(last))
      return { operations: counts.reduce((sum, each) => sum + each, 0), wallMs }
    },
    tearDown: async () => {
      await client.close()
      await signers.stop()
      await service.remove()
    },
  }
}

/** A client of the API, as an integrator writes one. */
class Client {
  readonly #pool: Pool
  readonly #apiKey: string
  readonly #signers: HashSigners
  readonly #certificate: string
  readonly #user: { readonly name: string; readonly identifier: string; readonly email: string }
  readonly #bytes = pdfSamples['20 KB']().toString('base64')

  constructor({ baseUrl, apiKey }: DocumentsService, { certificate }: Holder, signers: HashSigners) {
    this.#pool = new Pool(baseUrl, { connections: LANES })
    this.#apiKey = apiKey
    this.#signers = signers
    this.#certificate = certificate.der.toString('base64')
    const { name, cpf } = holderOf(certificate)
    this.#user = { name, identifier: cpf!, email: 'ana@example.com' }
  }

  /** Returns the id of the document. */
  async createAndSign(): Promise<string> {
    const { id } = await this.#post<{ id: string }>('/api/uploads/bytes', { bytes: this.#bytes })
    const file = { id, name: 'contrato.pdf', displayName: 'Contrato', contentType: 'application/pdf' }
    const flowActions = [{ type: 'Signer', step: 1, user: this.#user }]
    const [created] = await this.#post<[{ documentId: string }]>('/api/documents', { files: [file], flowActions })
    const document = `/api/documents/${created.documentId}`
    const { url } = await this.#post<{ url: string }>(`${document}/action-url`, { identifier: this.#user.identifier })
    const { pathname, searchParams } = new URL(url)
    const action = `/api/documents/keys/${pathname.split('/')[3]}/signature`
    const begun = await this.#post<{ success: boolean; token: string; toSignHash: string }>(`${action}/certificate`, {
      ticket: searchParams.get('ticket'),
      certificate: this.#certificate,
    })
    if (!begun.success) throw new Error(`The certificate was refused: ${JSON.stringify(begun)}`)
    const signature = await this.#signers.sign(begun.toSignHash)
    const done = await this.#post<{ success: boolean }>(action, { token: begun.token, signature })
    if (!done.success) throw new Error(`Not signed: ${JSON.stringify(done)}`)
    return created.documentId
  }

  async content(id: string): Promise<Buffer> {
    const { statusCode, body } = await this.#pool.request({
      method: 'GET',
      path: `/api/documents/${id}/content?type=Signatures`,
      headers: { 'x-api-key': this.#apiKey },
    })
    const bytes = Buffer.from(await body.arrayBuffer())
    if (statusCode !== 200) throw new Error(`The content answered ${statusCode}: ${bytes}`)
    return bytes
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  async #post<Answer>(path: string, sent: object): Promise<Answer> {
    const { statusCode, body } = await this.#pool.request({
      method: 'POST',
      path,
      headers: { 'x-api-key': this.#apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}: ${text}`)
    return JSON.parse(text) as Answer
  }
}
