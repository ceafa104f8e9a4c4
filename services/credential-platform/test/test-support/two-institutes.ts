// An issuer and a registrar in two organizations, partners of each other, and what they exchange over HTTP.
import { openBlobStore } from '@chancela/service-kernel/blobs'
import { type Answer, type Caller, readAnswer } from '@chancela/testkit/service-world'
import { expect, vi } from 'vitest'
import { addItemFile } from '../../src/store/documents.ts'
import { type CredentialWorld, instituteOf, organizationAt } from './credential-world.ts'
import { itemsAt } from './items.ts'
import { fileOf, pki, signedHash } from './pki.ts'
import { companyCertificate, type Institution, issuer, registrar } from './registry.ts'

export const soon = { interval: 20 }

/** An organization with one institution. */
async function school(world: CredentialWorld, { name, code, cnpj }: Institution, kind: string) {
  const organization = await organizationAt(world)
  const { id: instituteId } = await instituteOf(organization, { name, code, cnpj, kind })
  const items = itemsAt(world, { subscriptionId: organization.subscriptionId, instituteId })
  return { ...organization, instituteId, items, gerente: await organization.application('Gerente') }
}

export type School = Awaited<ReturnType<typeof school>>

export async function storeCertificate({ json, instituteId }: School, institution: Institution): Promise<void> {
  const file = fileOf(await companyCertificate(institution))
  expect((await json('PUT', `/api/institutes/${instituteId}/certificate`, file)).status).toBe(200)
}

export async function partnersAt(world: CredentialWorld) {
  const faculty = await school(world, issuer, 'Issuer')
  const university = await school(world, registrar, 'Registrar')
  const pair = { issuerInstituteId: faculty.instituteId, registrarInstituteId: university.instituteId }
  const { id } = (await faculty.json('POST', '/api/partnerships', pair)).body
  expect((await university.json('POST', `/api/partnerships/${id}/acceptance`)).status).toBe(200)
  await storeCertificate(university, registrar)
  return { faculty, university, partnershipId: id as string }
}

export type Partners = Awaited<ReturnType<typeof partnersAt>>

/** Puts bytes under the files of an item. */
export async function giveFile(world: CredentialWorld, itemId: string, name: string, bytes: Buffer): Promise<void> {
  const blobs = await openBlobStore(world.settings.Storage, world.context)
  const { digest, size } = await blobs.put(bytes)
  await blobs.close()
  const file = { item_id: itemId, name, digest, bytes: size, media_type: 'application/xml' }
  await addItemFile(world.store.db, file, world.clock())
}

const nonceOf = (bytes: Buffer): string => /id="ReqDip(\d{44})"/.exec(bytes.toString())![1]!

/** An emission whose academic documentation is signed. */
export async function signedEmission(
  world: CredentialWorld,
  { items }: School,
  documentation: Buffer,
): Promise<string> {
  const id = await items.create('Emission', { status: 'Signed', nonce: nonceOf(documentation) }, true)
  await giveFile(world, id, 'academic-documentation', documentation)
  return id
}

/** Uploads a request as another platform's user does. */
export async function upload(
  { call }: Caller,
  instituteId: string,
  bytes: Buffer | string,
  more: Readonly<Record<string, string>> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const form = new FormData()
  form.append('instituteId', instituteId)
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  form.append('file', new Blob([Uint8Array.from(Buffer.from(bytes))], { type: 'application/xml' }), 'documentacao.xml')
  return readAnswer(await call('POST', '/api/registrations', { body: form, headers }))
}

let line = 0

export const bookEntry = (more: object = {}) => ({
  livroRegistro: {
    livroRegistro: 'L-2026/3',
    numeroFolhaDoDiploma: String(++line),
    numeroSequenciaDoDiploma: '1',
    dataColacaoGrau: '2026-07-10',
    dataExpedicaoDiploma: '2026-08-03',
    dataRegistroDiploma: '2026-08-20',
    responsavelRegistro: { nome: 'Antônia Ferreira', cpf: '39053344705' },
    ...more,
  },
})

/** Signs the open step of a person in two phases, as a token does. */
export async function signAsClerk({ json }: Caller, ownerId: string): Promise<Answer> {
  const { items } = (await json('GET', `/api/documents?ownerId=${ownerId}`)).body
  const path = `/api/documents/${items[0].id}/signatures`
  const clerk = pki.certificate('helena-prado')
  const begun = await json('POST', path, { certificate: clerk.der.toString('base64') })
  if (begun.status !== 200) return begun
  const { token, toSignHash } = begun.body
  return json('POST', `${path}/completion`, { token, signature: signedHash(clerk, toSignHash) })
}

/** From the arrival to the book. */
export async function registered({ university }: Partners, id: string, entry: object = bookEntry()): Promise<Answer> {
  const path = `/api/registrations/${id}`
  expect((await university.gerente.json('POST', `${path}/acceptance`)).status).toBe(200)
  expect((await university.json('POST', `${path}/approval`)).status).toBe(200)
  return university.gerente.json('POST', `${path}/registration`, entry)
}

/** To the last signature. */
export async function signedRegistration({ university }: Partners, id: string): Promise<void> {
  expect((await signAsClerk(university, id)).status).toBe(200)
  const status = async () => (await university.json('GET', `/api/registrations/${id}`)).body.status
  await vi.waitUntil(async () => (await status()) === 'Signed', soon)
}
