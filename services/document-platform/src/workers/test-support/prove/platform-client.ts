import { constants, privateEncrypt } from 'node:crypto'
import { holders, type RunningDemoPki } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { AccountsClient } from './accounts-client.ts'
import type { Organization } from './life-plan.ts'
import { Refused, ServiceCalls } from './service-calls.ts'

/** The participants of the proof's documents. */
export const signers = ['ana-souza', 'bruno-lima'] as const

export type Person = (typeof signers)[number]

/** A document as the API shows it. */
export interface TheirDocument {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly isDeleted: boolean
  readonly flowActions: readonly {
    readonly id: string
    readonly type: string
    readonly status: string
    readonly user: { readonly identifier: string }
  }[]
}

/** A generation of documents as the API shows it. */
interface TheirGeneration {
  readonly status: string
  readonly completedCount: number
  readonly failedCount: number
  readonly errors: readonly { readonly line: number }[]
}

/** A client of the service, for one of its runs. */
export class PlatformClient {
  readonly accounts: AccountsClient
  readonly #calls: ServiceCalls
  readonly #organization: Organization
  readonly #pki: RunningDemoPki

  constructor(baseUrl: string, organization: Organization, pki: RunningDemoPki) {
    this.#calls = new ServiceCalls(baseUrl, { 'X-Api-Key': organization.apiKey })
    this.accounts = new AccountsClient(baseUrl, organization)
    this.#organization = organization
    this.#pki = pki
  }

  async register(url: string): Promise<void> {
    await this.#calls.json('POST', `/api/organizations/${this.#organization.id}/webhooks`, { url })
  }

  /** Creates a document with a flow step for each person; returns its id. */
  async create(flow: readonly { readonly type: 'Signer' | 'Approver'; readonly person: Person }[]): Promise<string> {
    const id = await this.#upload(samplePdf(`Contrato ${Math.random()}`))
    const files = [{ id, name: 'contrato.pdf', displayName: 'Contrato', contentType: 'application/pdf' }]
    const flowActions = flow.map(({ type, person }, at) => ({ type, step: at + 1, user: userOf(person) }))
    const created = await this.#calls.json<[{ documentId: string }]>('POST', '/api/documents', { files, flowActions })
    return created[0].documentId
  }

  async #upload(bytes: Buffer): Promise<string> {
    const sent = { bytes: bytes.toString('base64') }
    return (await this.#calls.json<{ id: string }>('POST', '/api/uploads/bytes', sent)).id
  }

  /** Begins to make a document for each line of a file; returns the id of the generation. */
  async generate(name: string, form: Buffer, lines: Buffer): Promise<string> {
    const templateFile = { id: await this.#upload(form), name: `${name}.pdf` }
    const dataFile = { id: await this.#upload(lines), name: 'pessoas.csv' }
    const user = { name: '{{nome}}', email: '{{email}}' }
    const flowActions = [{ type: 'Signer', step: 1, user, allowElectronicSignature: true }]
    const asked = { templateFile, dataFile, flowActions }
    return (await this.#calls.json<{ id: string }>('POST', '/api/documents/generation', asked)).id
  }

  generation = (id: string): Promise<TheirGeneration> => this.#calls.json('GET', `/api/documents/generation/${id}`)

  async sign(documentId: string, person: Person): Promise<void> {
    const { key, ticket } = await this.#ticket(documentId, person)
    const { der, key: keys } = this.#pki.pki.certificate(person)
    const path = `/api/documents/keys/${key}/signature`
    const begun = await this.#calls.json<{ token: string; toSignHash: string }>('POST', `${path}/certificate`, {
      ticket,
      certificate: der.toString('base64'),
    })
    const padded = { key: keys.privateKey, padding: constants.RSA_PKCS1_PADDING }
    const signature = privateEncrypt(padded, Buffer.concat([DIGEST_INFO, Buffer.from(begun.toSignHash, 'base64')]))
    await this.#calls.json('POST', path, { token: begun.token, signature: signature.toString('base64') })
  }

  async approve(documentId: string, person: Person): Promise<void> {
    const { key, ticket } = await this.#ticket(documentId, person)
    await this.#calls.json('POST', `/api/documents/keys/${key}/approval`, { ticket })
  }

  async refuse(documentId: string, person: Person): Promise<void> {
    const { key, ticket } = await this.#ticket(documentId, person)
    await this.#calls.json('POST', `/api/documents/keys/${key}/refusal`, { ticket, reason: 'Não.' })
  }

  cancel = (id: string): Promise<void> =>
    this.#calls.json('POST', `/api/documents/${id}/cancellation`, { reason: 'Engano.' })

  delete = (id: string): Promise<void> => this.#calls.json('DELETE', `/api/documents/${id}`)

  read = (id: string): Promise<TheirDocument> => this.#calls.json('GET', `/api/documents/${id}`)

  /** Certificates of the signatures on record. */
  async signatures(id: string): Promise<number> {
    const { signers } = await this.#calls.json<{ signers: readonly unknown[] }>(
      'GET',
      `/api/documents/${id}/signatures-details`,
    )
    return signers.length
  }

  /** The signed file; undefined while there is none. */
  async content(id: string): Promise<Buffer | undefined> {
    try {
      const answer = await this.#calls.call('GET', `/api/documents/${id}/content?type=Signatures`)
      return Buffer.from(await answer.arrayBuffer())
    } catch (error) {
      if (error instanceof Refused && error.message.includes('DocumentVersionNotAvailable')) return undefined
      throw error
    }
  }

  /** All documents, deleted ones as well. */
  async all(): Promise<readonly Pick<TheirDocument, 'id' | 'name'>[]> {
    const all: Pick<TheirDocument, 'id' | 'name'>[] = []
    for (const isDeleted of [false, true])
      for (let offset = 0; ; offset += 100) {
        const path = `/api/documents?limit=100&offset=${offset}&isDeleted=${isDeleted}`
        const { items } = await this.#calls.json<{ items: typeof all }>('GET', path)
        all.push(...items)
        if (items.length < 100) break
      }
    return all
  }

  /** Key and ticket, cut out of the URL as clients do it. */
  async #ticket(documentId: string, person: Person) {
    const { identifier } = userOf(person)
    const path = `/api/documents/${documentId}/action-url`
    const { url } = await this.#calls.json<{ url: string }>('POST', path, { identifier })
    const { pathname, searchParams } = new URL(url)
    return { key: pathname.split('/')[3]!, ticket: searchParams.get('ticket')! }
  }
}

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

export function userOf(person: Person) {
  const { holder } = holders[person]!
  if (holder.kind !== 'person') throw new TypeError(`${person} is no person.`)
  return { name: holder.name, identifier: holder.cpf!, email: `${person}@example.com` }
}
