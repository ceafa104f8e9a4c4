// An institution that issues documents: with its certificate stored, people who sign, and a webhook that is told.
import {
  sampleAcademicDocumentation,
  sampleCurriculum,
  sampleDegree,
  sampleTranscript,
} from '@chancela/academic-documents/samples'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { startReceiver } from '@chancela/testkit/receiver'
import type { Caller } from '@chancela/testkit/service-world'
import { expect, vi } from 'vitest'
import { type CredentialWorld, instituteOf, organizationAt } from './credential-world.ts'
import { fileOf, issueInstitution, pki, signedHash } from './pki.ts'

const soon = { interval: 10 }

/** People with an e-CPF. */
export const dean = (): IssuedCertificate => pki.certificate('bruno-lima')
export const clerk = (): IssuedCertificate => pki.certificate('helena-prado')

let institution: Promise<IssuedCertificate> | undefined

/** The e-CNPJ of the samples' institution; made once, as keys take time. */
export const ownInstitution = (): Promise<IssuedCertificate> => {
  institution ??= issueInstitution()
  return institution
}

export async function storeCertificate({ json }: Caller, instituteId: string): Promise<void> {
  const { status, body } = await json(
    'PUT',
    `/api/institutes/${instituteId}/certificate`,
    fileOf(await ownInstitution()),
  )
  if (status !== 200) throw new Error(`no certificate: ${status} ${JSON.stringify(body)}`)
}

/** One document of an item, of a kind. */
export async function documentOf({ json }: Caller, ownerId: string, kind?: string) {
  const { body } = await json('GET', `/api/documents?ownerId=${ownerId}`)
  return body.items.find(({ documentKind }: { documentKind: string }) => kind === undefined || documentKind === kind)
}

/** Begins and completes a signature, as a browser with a token does. */
export async function signAs({ json }: Caller, documentId: string, issued: IssuedCertificate) {
  const certificate = issued.der.toString('base64')
  const started = await json('POST', `/api/documents/${documentId}/signatures`, { certificate })
  if (started.status !== 200) return started
  const { token, toSignHash } = started.body
  const signature = signedHash(issued, toSignHash)
  return json('POST', `/api/documents/${documentId}/signatures/completion`, { token, signature })
}

interface Told {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into every model.
  readonly data: any
}

/** An organization with an institution whose certificate is stored, and a receiver of its events. */
export async function schoolAt(
  world: Pick<CredentialWorld, 'system' | 'systemKey' | 'baseUrl'>,
  { stored = true }: { readonly stored?: boolean } = {},
) {
  const organization = await organizationAt(world)
  const { id: instituteId } = await instituteOf(organization)
  if (stored) await storeCertificate(organization, instituteId)
  const receiver = await startReceiver()
  const path = `/api/subscriptions/${organization.subscriptionId}/webhook`
  await organization.json('PUT', path, { enabled: true, url: receiver.url })
  const told = (): Told[] => receiver.received.map(({ body }) => JSON.parse(body))
  return {
    ...organization,
    instituteId,
    told,
    types: () => told().map(({ type }) => type),
    /** Waits until so many events came. */
    arrived: (count: number) => vi.waitUntil(() => receiver.received.length >= count, soon),
    /** Waits until an item has a status. */
    reaches: (itemPath: string, status: string) =>
      vi.waitUntil(async () => (await organization.json('GET', itemPath)).body.status === status, soon),
    /** A file as it is served. */
    async file(itemPath: string, name: string): Promise<Buffer> {
      const answer = await organization.call('GET', `${itemPath}/files/${name}`)
      if (answer.status !== 200) throw new Error(`no file: ${answer.status} ${await answer.text()}`)
      return Buffer.from(await answer.arrayBuffer())
    },
  }
}

type School = Awaited<ReturnType<typeof schoolAt>>

/** What is asked for a curriculum: the sample without what the platform fills in. */
export function curriculumData(more: object = {}): Record<string, unknown> {
  const { segurancaCurriculo: _, iesEmissora: __, ...data } = sampleCurriculum().curriculoEscolar.infCurriculoEscolar
  const infEtiquetas = { etiqueta: [...data.infEtiquetas.etiqueta, { codigo: 'PR', nome: 'Prática' }] }
  return { ...data, infEtiquetas, ...more }
}

type Final = Extract<ReturnType<typeof sampleTranscript>, { documentoHistoricoEscolarFinal: unknown }>

/** The same of a transcript. */
export function transcriptData(more: object = {}): Record<string, unknown> {
  const sample = sampleTranscript({ variant: 'final' }) as Final
  const { segurancaHistorico: _, iesEmissora: __, ...data } = sample.documentoHistoricoEscolarFinal.infHistoricoEscolar
  return { ...data, ...more }
}

type Request = Extract<
  ReturnType<typeof sampleAcademicDocumentation>['documentacaoAcademicaRegistro'],
  { registroReq: unknown }
>['registroReq']

/** The same of an academic documentation, by default of a first copy; one person signs. */
export function documentationData(more: object = {}): { readonly registroReq: Record<string, unknown> } {
  const sample = sampleAcademicDocumentation().documentacaoAcademicaRegistro as { registroReq: Request }
  const { id: _, dadosDiploma, ...request } = sample.registroReq
  const { id: __, iesEmissora: ___, assinantes: ____, ...degreeData } = dadosDiploma
  return { registroReq: { ...request, dadosDiploma: degreeData, ...more } }
}

type Registered = Extract<
  ReturnType<typeof sampleDegree>['diploma']['infDiploma'],
  { dadosRegistro: unknown }
>['dadosRegistro']

let sheet = 0

/** The same of the registrar's part, each time at a new line of the book. */
export function registrationData(book: object = {}): Record<string, unknown> {
  const { dadosRegistro } = sampleDegree().diploma.infDiploma as { dadosRegistro: Registered }
  const { livroRegistro, informacoesAdicionais } = dadosRegistro
  const own = { numeroFolhaDoDiploma: String(++sheet) }
  return { livroRegistro: { ...livroRegistro, ...own, ...book }, informacoesAdicionais }
}

export const newDegree = (instituteId: string, more: object = {}) => ({
  instituteId,
  data: documentationData(),
  registration: registrationData(),
  ...more,
})

/** A degree that nobody has signed. */
export async function madeDegree(school: School, more: object = {}) {
  const { status, body } = await school.json('POST', '/api/degrees', newDegree(school.instituteId, more))
  expect([status, body]).toEqual([201, expect.objectContaining({ status: 'Pending', verificationCode: null })])
  return { id: body.id as string, path: `/api/degrees/${body.id}`, body }
}

/** The same with both documents signed: by the dean at the issuer, by the clerk at the registrar. */
export async function concludedDegree(school: School, more: object = {}) {
  const degree = await madeDegree(school, more)
  await signedBoth(school, degree.id)
  return degree
}

/** A transcript with its last signature. */
export async function concludedTranscript(school: School) {
  const request = { instituteId: school.instituteId, type: 'Final', data: transcriptData() }
  const { body } = await school.json('POST', '/api/academic-transcripts', request)
  const path = `/api/academic-transcripts/${body.id}`
  await signAs(school, (await documentOf(school, body.id)).id, dean())
  await school.reaches(path, 'Concluded')
  return { ...school, path, code: body.verificationCode as string }
}

/** Signs both documents of a degree. */
export async function signedBoth(school: School, id: string): Promise<void> {
  const path = `/api/degrees/${id}`
  await signAs(school, (await documentOf(school, id, 'academicDocumentation')).id, dean())
  const second = await vi.waitUntil(() => documentOf(school, id, 'degree'), soon)
  expect((await school.json('GET', path)).body.status).toBe('Pending')
  expect((await signAs(school, second.id, clerk())).status).toBe(200)
  await school.reaches(path, 'Concluded')
}
