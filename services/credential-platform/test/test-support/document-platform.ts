// The real document platform beside the service, over HTTP, and people who sign there.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { holders, type IssuedCertificate } from '@chancela/testkit/demo-pki'
import type { Database } from '@chancela/testkit/service-world'
import { onTestFinished, vi } from 'vitest'
// The starter of the platform's own tests: the service is tested against the real platform.
import {
  type PlatformWorld,
  sharedPlatform as sharedDocuments,
  ticketOf,
} from '../../../document-platform/test/test-support/platform-world.ts'
import type { CredentialWorld, Organization } from './credential-world.ts'
import { documentOf } from './issuing.ts'
import { CNPJ, clock, signedHash, signingSettings } from './pki.ts'

export type { PlatformWorld } from '../../../document-platform/test/test-support/platform-world.ts'

/** One document platform for the tests of a describe; each call gives an organization of its own there. */
export const sharedDocumentPlatform = (database: Database): (() => Promise<PlatformWorld>) =>
  sharedDocuments(database, { settings: signingSettings, clock })

/** Connects an organization here to one there. */
export async function connect(
  { json, subscriptionId }: Organization,
  { baseUrl, organization }: Pick<PlatformWorld, 'baseUrl' | 'organization'>,
  more: object = {},
) {
  const wanted = { enabled: true, url: baseUrl, apiKey: organization.apiKey, ...more }
  return json('PUT', `/api/subscriptions/${subscriptionId}/document-platform`, wanted)
}

/** Signs at the platform as a participant, through the door that participants have. */
export async function signThere(world: PlatformWorld, documentId: string, issued: IssuedCertificate, cpf: string) {
  const { key, ticket } = await ticketOf(world, documentId, cpf)
  const door = `/api/documents/keys/${key}/signature`
  const certificate = issued.der.toString('base64')
  const begun = await world.json('POST', `${door}/certificate`, { ticket, certificate })
  if (begun.status !== 200) throw new Error(`not begun: ${begun.status} ${JSON.stringify(begun.body)}`)
  const { token, toSignHash } = begun.body
  const done = await world.json('POST', door, { token, signature: signedHash(issued, toSignHash) })
  if (done.body.success !== true) throw new Error(`not signed: ${done.status} ${JSON.stringify(done.body)}`)
}

const soon = { interval: 20 }

interface Person {
  readonly name: string
  readonly identifier: string
  readonly email: string
}

/** Somebody of the PKI as flows name them. */
export function personOf(label: string): Person {
  const { holder } = holders[label]!
  if (holder.kind !== 'person') throw new TypeError(`${label} is no person.`)
  return { name: holder.name, identifier: holder.cpf!, email: `${label}@example.com` }
}

const institution = { name: 'Universidade Santa Clara', identifier: CNPJ }

/** A flow whose people sign at the document platform, one after the other, and the institution at last. */
export const flowThere = (documentKind: string, labels: readonly string[], more: object = {}) => ({
  name: `Fluxo ${crypto.randomUUID()}`,
  documentKind,
  signedAt: 'DocumentPlatform',
  steps: stepsOf(documentKind, labels, more),
})

const inner: Readonly<Record<string, readonly [node: string, level: string]>> = {
  AcademicDocumentation: ['DadosDiploma', 'AD-RC'],
  Degree: ['DadosRegistro', 'AD-RC'],
}

function stepsOf(documentKind: string, labels: readonly string[], more: object) {
  const [node, level] = inner[documentKind] ?? ['Document', 'AD-RT']
  const participants = [{ ...institution, ...more }]
  const people = labels.map((label) => ({ node, certificateKind: 'eCpf', level, participants: [personOf(label)] }))
  const own = documentKind === 'AcademicDocumentation' ? [{ node, certificateKind: 'eCnpj', level, participants }] : []
  return [...people, ...own, { node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA', participants }]
}

/** Id of the flow. */
export async function madeFlow({ json }: Pick<Organization, 'json'>, flow: object): Promise<string> {
  const { status, body } = await json('POST', '/api/flows', flow)
  if (status !== 201) throw new Error(`no flow: ${status} ${JSON.stringify(body)}`)
  return body.id
}

/** The document of an item once it is there. */
export const sentOf = (caller: Pick<Organization, 'json' | 'call'>, ownerId: string, kind?: string) =>
  vi.waitUntil(async () => {
    const found = await documentOf(caller as Organization, ownerId, kind)
    return found?.platform?.status === 'Sent' && found
  }, soon)

/** The document of an item once it has a status. */
export const reachedOf = (caller: Pick<Organization, 'json' | 'call'>, ownerId: string, status: string) =>
  vi.waitUntil(async () => {
    const found = await documentOf(caller as Organization, ownerId)
    if (found?.status === 'Failed' && status !== 'Failed') throw new Error(found.error)
    return found?.status === status && found
  }, soon)

/** Has the organization there tell this service of its documents, as operators set it up. */
export async function tellHere(there: PlatformWorld, { baseUrl }: Pick<CredentialWorld, 'baseUrl'>, apiKey: string) {
  const wanted = { url: `${baseUrl}/api/degrees/webhook`, authType: 'ApiKey', token: apiKey }
  const { status } = await there.json('POST', `/api/organizations/${there.organization.id}/webhooks`, wanted)
  if (status !== 200) throw new Error(`no webhook: ${status}`)
}

type Tamper = (
  request: IncomingMessage,
  answer: { status: number; body: Buffer },
  response: ServerResponse,
) => Buffer | undefined

/** A real proxy before the platform: what `tamper` makes of an answer is sent; undefined cuts the connection. */
export async function startProxy(target: string, tamper: Tamper): Promise<string> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
    })
    const body = tamper(request, { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) }, response)
    if (body === undefined) response.destroy()
    else response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
