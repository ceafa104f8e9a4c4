// What the routes of the contract act on, and a valid body for each that needs one.
import { samplePdf } from '@chancela/testkit/samples'
import type { CoreWorld } from './core-world.ts'
import { authorities } from './management.ts'
import { certificateOf, signedBy } from './pki.ts'
import { inline } from './signing.ts'

export const sameFor = <Value>(value: Value, of: readonly string[]) =>
  Object.fromEntries(of.map((route) => [route, value]))

export type Made = Awaited<ReturnType<typeof fixture>>

/** What a route acts on. */
export async function fixture({ json }: Pick<CoreWorld, 'json'>, { subscriptionId }: { subscriptionId: string }) {
  const named = { name: crypto.randomUUID(), authorizationData: { roles: ['Worker'] } }
  const { id } = (await json('POST', '/api/applications', named)).body
  const key = await json('POST', `/api/applications/${id}/api-keys`, { description: 'x' })
  const context = await json('POST', '/api/security-contexts', contextData())
  const { token } = (await json('POST', '/Api/Authentications', { securityContextId: context.body.id })).body
  const { nonce } = (await json('GET', '/Api/Authentication')).body
  const ids = { id, keyId: key.body.info.id, contextId: context.body.id, subscriptionId, token, nonce }
  return { ...ids, ...(await documents({ json }, context.body.id)) }
}

/** An upload without a part, a document with its key, and a signature that was begun. */
async function documents({ json }: Pick<CoreWorld, 'json'>, securityContextId: string) {
  const { blobToken } = (await json('POST', '/Api/MultipartUploads')).body
  const asked = { file: inline('a.pdf', samplePdf('a')), certificate: { content: certificateOf('ana-souza') } }
  const begin = async () => (await json('POST', '/api/signature', { ...asked, securityContextId })).body
  const { state, toSign } = await begin()
  const signature = signedBy('ana-souza', toSign.data)
  const { body } = await json('POST', '/api/signature/completion', { state, signature })
  const begun = await begin()
  const completion = { state: begun.state, signature: signedBy('ana-souza', begun.toSign.data) }
  const thumbprint = body.signers[0].certificate.thumbprintSHA256
  return { upload: blobToken, part: 0, document: body.id, documentKey: body.key, completion, thumbprint }
}

const contextData = () => ({ name: crypto.randomUUID(), trustedRoots: authorities.roots })

const inspected = { ...inline('a.xml', '<a/>'), mimeType: 'text/xml' }

const proof = { certificate: 'AAAA', signature: 'AAAA' }

/** Valid bodies, so that only the rights decide. */
export const bodies = (made: Made): Readonly<Record<string, object>> => ({
  'POST /api/v2/authentication/completion': { state: 'x', ...proof },
  'POST /Api/Authentications': { securityContextId: made.contextId },
  'POST /Api/Authentications/{token}/SignedBytes': proof,
  'POST /Api/Authentication': { nonce: made.nonce, securityContextId: made.contextId, ...proof },
  ...sameFor({ signature: 'AAAA' }, [
    'POST /Api/PadesSignatures/{token}/SignedBytes',
    'POST /Api/CadesSignatures/{token}/SignedBytes',
    'POST /Api/XmlSignatures/{token}/SignedBytes',
  ]),
  'PUT /api/subscriptions/{subscriptionId}/webhook/state': { state: 'paused' },
  'PUT /api/subscriptions/{subscriptionId}/webhook': { url: 'https://example.com/hook' },
  'POST /api/plain-uploads': { any: 'bytes' },
  'POST /Api/MultipartUploads/{upload}/{part}': { any: 'bytes' },
  'POST /Api/MultipartUploads/{upload}': { partETags: ['none'] },
  'POST /api/document-keys/batch': { count: 2 },
  'PUT /api/documents/{document}/metadata': { Lote: ['7'] },
  'POST /api/signature': {
    file: inline('a.pdf', samplePdf('a')),
    certificate: { content: certificateOf('ana-souza') },
    securityContextId: made.contextId,
  },
  'POST /api/signature/completion': made.completion,
  'PUT /api/signature-inspection': { file: inspected, securityContextId: made.contextId },
  'POST /api/signature/archival-extension': { file: inspected, securityContextId: made.contextId },
  'POST /api/applications': { name: crypto.randomUUID(), authorizationData: { roles: ['Worker'] } },
  'PUT /api/applications/{id}/authorization-data': { roles: ['Worker', 'Monitor'] },
  'PUT /api/applications/{id}/root-authorization-data': { roles: ['Reader'] },
  'POST /api/applications/{id}/api-keys': { description: 'x' },
  'PUT /api/applications/{id}/default-document-metadata': { Lote: ['7'] },
  'POST /api/security-contexts': contextData(),
  'PUT /api/security-contexts/default': { id: made.contextId },
  'PUT /api/security-contexts/{contextId}': contextData(),
  'POST /api/subscriptions': { name: crypto.randomUUID() },
  'PUT /api/subscriptions/{subscriptionId}': { name: crypto.randomUUID() },
})

export const pathOf = (template: string, made: Made): string =>
  template
    .replaceAll(/\{(\w+)\}/g, (_, name) => String(made[name as keyof Made]))
    .replace(/availability$/, `availability?name=${crypto.randomUUID()}`)
    .replace(/unused$/, 'unused?metadataName=Lote&metadataValue=7')
