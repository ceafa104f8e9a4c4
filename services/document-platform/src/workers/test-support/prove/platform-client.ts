import { constants, privateEncrypt } from 'node:crypto'
import { holders, type RunningDemoPki } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import type { Organization } from './life-plan.ts'

/** The service gave no valid answer: the request may have been executed or not. */
export class Unknown extends Error {
  override readonly name = 'Unknown'
}

/** The service refused: nothing changed. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** The participants of the proof's documents. */
export const signers = ['ana-souza', 'bruno-lima'] as const

export type Person = (typeof signers)[number]

/** A document as the API shows it. */
export interface TheirDocument {
  readonly id: string
  readonly status: string
  readonly isDeleted: boolean
  readonly flowActions: readonly {
    readonly id: string
    readonly type: string
    readonly status: string
    readonly user: { readonly identifier: string }
  }[]
}

/** A client of the service, for one of its runs. */
export class PlatformClient {
  readonly #baseUrl: string
  readonly #organization: Organization
  readonly #pki: RunningDemoPki

  constructor(baseUrl: string, organization: Organization, pki: RunningDemoPki) {
    this.#baseUrl = baseUrl
    this.#organization = organization
    this.#pki = pki
  }

  async register(url: string): Promise<void> {
    await this.#json('POST', `/api/organizations/${this.#organization.id}/webhooks`, { url })
  }

  /** Creates a document with a flow step for each person; returns its id. */
  async create(flow: readonly { readonly type: 'Signer' | 'Approver'; readonly person: Person }[]): Promise<string> {
    const bytes = samplePdf(`Contrato ${Math.random()}`).toString('base64')
    const { id } = await this.#json<{ id: string }>('POST', '/api/uploads/bytes', { bytes })
    const files = [{ id, name: 'contrato.pdf', displayName: 'Contrato', contentType: 'application/pdf' }]
    const flowActions = flow.map(({ type, person }, at) => ({ type, step: at + 1, user: userOf(person) }))
    const created = await this.#json<[{ documentId: string }]>('POST', '/api/documents', { files, flowActions })
    return created[0].documentId
  }

  async sign(documentId: string, person: Person): Promise<void> {
    const { key, ticket } = await this.#ticket(documentId, person)
    const { der, key: keys } = this.#pki.pki.certificate(person)
    const path = `/api/documents/keys/${key}/signature`
    const begun = await this.#json<{ token: string; toSignHash: string }>('POST', `${path}/certificate`, {
      ticket,
      certificate: der.toString('base64'),
    })
    const padded = { key: keys.privateKey, padding: constants.RSA_PKCS1_PADDING }
    const signature = privateEncrypt(padded, Buffer.concat([DIGEST_INFO, Buffer.from(begun.toSignHash, 'base64')]))
    await this.#json('POST', path, { token: begun.token, signature: signature.toString('base64') })
  }

  async approve(documentId: string, person: Person): Promise<void> {
    const { key, ticket } = await this.#ticket(documentId, person)
    await this.#json('POST', `/api/documents/keys/${key}/approval`, { ticket })
  }

  async refuse(documentId: string, person: Person): Promise<void> {
    const { key, ticket } = await this.#ticket(documentId, person)
    await this.#json('POST', `/api/documents/keys/${key}/refusal`, { ticket, reason: 'Não.' })
  }

  cancel = (id: string): Promise<void> => this.#json('POST', `/api/documents/${id}/cancellation`, { reason: 'Engano.' })

  delete = (id: string): Promise<void> => this.#json('DELETE', `/api/documents/${id}`)

  read = (id: string): Promise<TheirDocument> => this.#json('GET', `/api/documents/${id}`)

  /** Certificates of the signatures on record. */
  async signatures(id: string): Promise<number> {
    const { signers } = await this.#json<{ signers: readonly unknown[] }>(
      'GET',
      `/api/documents/${id}/signatures-details`,
    )
    return signers.length
  }

  /** The signed file; undefined while there is none. */
  async content(id: string): Promise<Buffer | undefined> {
    try {
      const answer = await this.#call('GET', `/api/documents/${id}/content?type=Signatures`)
      return Buffer.from(await answer.arrayBuffer())
    } catch (error) {
      if (error instanceof Refused && error.message.includes('DocumentVersionNotAvailable')) return undefined
      throw error
    }
  }

  /** Ids of all documents, deleted ones as well. */
  async all(): Promise<readonly string[]> {
    const ids: string[] = []
    for (const isDeleted of [false, true])
      for (let offset = 0; ; offset += 100) {
        const path = `/api/documents?limit=100&offset=${offset}&isDeleted=${isDeleted}`
        const { items } = await this.#json<{ items: readonly { id: string }[] }>('GET', path)
        ids.push(...items.map(({ id }) => id))
        if (items.length < 100) break
      }
    return ids
  }

  /** Key and ticket, cut out of the URL as clients do it. */
  async #ticket(documentId: string, person: Person) {
    const { identifier } = userOf(person)
    const path = `/api/documents/${documentId}/action-url`
    const { pathname, searchParams } = new URL((await this.#json<{ url: string }>('POST', path, { identifier })).url)
    return { key: pathname.split('/')[3]!, ticket: searchParams.get('ticket')! }
  }

  async #json<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const text = await (await this.#call(method, path, body)).text().catch((cause) => {
      throw new Unknown(`${path} broke off`, { cause })
    })
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }

  async #call(method: string, path: string, body?: object): Promise<Response> {
    const headers = { 'X-Api-Key': this.#organization.apiKey, ...(body && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${this.#baseUrl}${path}`, init).catch((cause) => {
      throw new Unknown(`${path} was not answered`, { cause })
    })
    if (answer.ok) return answer
    const text = await answer.text().catch(() => '')
    if (answer.status >= 500) throw new Unknown(`${path} answered ${answer.status}: ${text}`)
    throw new Refused(`${path} answered ${answer.status}: ${text}`)
  }
}

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

export function userOf(person: Person) {
  const { holder } = holders[person]!
  if (holder.kind !== 'person') throw new TypeError(`${person} is no person.`)
  return { name: holder.name, identifier: holder.cpf!, email: `${person}@example.com` }
}
