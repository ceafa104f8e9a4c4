// An issuer and a registrar with certificates of the demo PKI, and the documents they exchange: made from the layouts'
// samples and signed step by step, as any other platform would do it.
import { generateUnchecked, newNonce, nodeRange } from '@chancela/academic-documents/layouts'
import { sampleAcademicDocumentation, sampleDegree } from '@chancela/academic-documents/samples'
import { assembleDegree, signStep } from '@chancela/academic-documents/signatures'
import { createJudge, exchangeOverHttp, RevocationSource, TrustAnchors } from '@chancela/signature-engine/judgement'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { createTimestampClient } from '@chancela/signature-engine/timestamps'
import { Certificate } from '@chancela/signature-engine/x509'
import { signXades } from '@chancela/signature-engine/xades'
import { ROOT } from '@chancela/signature-engine/xml'
import { addresses, type IssuedCertificate, withCnpjCheckDigits } from '@chancela/testkit/demo-pki'
import { clock, pki, running } from './pki.ts'

const timestampAuthority = addresses(running.baseUrl).timeStamps

const read = ({ der }: IssuedCertificate) => Certificate.read(der)

const signerOf = (issued: IssuedCertificate): DigestSigner =>
  keySigner({
    certificate: read(issued),
    chain: pki.chainOf(issued).slice(1).map(read),
    privateKey: issued.key.privateKey,
  })

const helpers = () => ({
  now: clock(),
  judge: createJudge({
    anchors: TrustAnchors.of([read(pki.certificate('root'))]),
    exchange: exchangeOverHttp,
    revocation: new RevocationSource({ exchange: exchangeOverHttp }),
  }),
  timestamps: createTimestampClient({ authorities: [{ url: timestampAuthority }] }),
})

/** Signs the step that is open for this key, a minute after the last. */
function signed(bytes: Uint8Array, signer: DigestSigner): Promise<Buffer> {
  clock.advance(60_000)
  return signStep(bytes, signer, helpers())
}

/** An institution as the layouts and the platform know it. */
export interface Institution {
  readonly name: string
  readonly code: string
  readonly cnpj: string
}

export const issuer: Institution = {
  name: 'Faculdade Exemplar de São Paulo',
  code: '4321',
  cnpj: withCnpjCheckDigits('334445550001'),
}
export const registrar: Institution = {
  name: 'Universidade Registradora',
  code: '8765',
  cnpj: withCnpjCheckDigits('445556660001'),
}

const responsible = { kind: 'person', name: 'Bruno Carvalho Lima', cpf: '11144477735', born: '1970-01-31' } as const

/** The e-CNPJ of an institution. */
export const companyCertificate = ({ name, cnpj }: Institution): Promise<IssuedCertificate> =>
  pki.issueCompany({ name, cnpj, responsible, email: 'reitoria@example.com' }, { policy: 'A3' })

const dean = () => signerOf(pki.certificate('bruno-lima'))
const clerk = () => signerOf(pki.certificate('helena-prado'))

export interface DocumentTerms {
  readonly issuer?: Institution
  readonly registrar?: Institution
  readonly nonce?: string
  readonly student?: { readonly nome?: string; readonly cpf?: string }
  readonly code?: string
}

// biome-ignore lint/suspicious/noExplicitAny: a sample is changed at a few places, whatever its shape.
type Loose = any

const named = (ies: object, { name, code, cnpj }: Institution) => ({ ...ies, nome: name, codigoMEC: code, cnpj })

function changedData(data: Loose, { issuer: by = issuer, student = {} }: DocumentTerms): void {
  data.iesEmissora = named(data.iesEmissora, by)
  data.diplomado = { ...data.diplomado, ...student }
  delete data.assinantes
}

/** An academic documentation that nobody signed yet. */
export function documentation({ nonce = newNonce(), ...terms }: DocumentTerms = {}): Buffer {
  const input: Loose = structuredClone(sampleAcademicDocumentation({ nonce }))
  changedData(input.documentacaoAcademicaRegistro.registroReq.dadosDiploma, terms)
  return bytesOf('academicDocumentation', input)
}

function bytesOf(kind: 'academicDocumentation' | 'degree', input: unknown): Buffer {
  const made = generateUnchecked(kind, input)
  if (!made.valid) throw new Error(JSON.stringify(made.problems))
  return made.bytes
}

/** One that its issuer closed. */
export async function closedDocumentation(terms: DocumentTerms = {}): Promise<Buffer> {
  const institution = signerOf(await companyCertificate(terms.issuer ?? issuer))
  let bytes = documentation(terms)
  for (const signer of [dean(), institution, institution]) bytes = await signed(bytes, signer)
  return bytes
}

interface Hands {
  readonly person?: IssuedCertificate
  readonly institution?: Institution
}

/** One that was closed by a tool that knows none of our rules, with whatever certificates. */
export async function closedAnyhow({
  person = pki.certificate('bruno-lima'),
  institution = issuer,
}: Hands): Promise<Buffer> {
  const company = signerOf(await companyCertificate(institution))
  const bytes = documentation()
  const id = `Dip${/id="ReqDip(\d{44})"/.exec(bytes.toString())![1]!}`
  const inner = { parallel: true, target: { id }, position: { at: 'last-child', of: { id } } } as const
  const steps = [
    [signerOf(person), { ...inner, level: 'AD-RT' }],
    [company, { ...inner, level: 'AD-RC' }],
    [signerOf(await companyCertificate(issuer)), { ...wholeDocument, level: 'AD-RA' }],
  ] as const
  return signedAnyhow(bytes, steps)
}

const wholeDocument = { position: { at: 'last-child', of: { ordinal: ROOT } } } as const

type Steps = readonly (readonly [signer: DigestSigner, options: Omit<Parameters<typeof signXades>[2], 'now'>])[]

/** One signature after the other, a minute between them. */
async function signedAnyhow(document: Buffer, steps: Steps): Promise<Buffer> {
  let bytes = document
  for (const [signer, options] of steps) {
    clock.advance(60_000)
    bytes = await signXades(bytes, signer, { ...options, ...helpers() })
  }
  return bytes
}

/** The degree a registrar elsewhere makes of a documentation. */
export async function closedDegree(source: Buffer, terms: DocumentTerms = {}): Promise<Buffer> {
  const institution = signerOf(await companyCertificate(terms.registrar ?? registrar))
  let bytes = assembledDegree(source, terms)
  for (const signer of [clerk(), institution]) bytes = await signed(bytes, signer)
  return bytes
}

/** One that was closed by a tool that knows none of our rules, with whatever certificates. */
export async function closedDegreeAnyhow(
  source: Buffer,
  { person = pki.certificate('helena-prado'), institution = registrar }: Hands,
): Promise<Buffer> {
  const bytes = assembledDegree(source)
  const id = `RDip${/id="RDip(\d{44})"/.exec(bytes.toString())![1]!}`
  const inner = { parallel: true, target: { id }, position: { at: 'last-child', of: { id } } } as const
  const steps = [
    [signerOf(person), { ...inner, level: 'AD-RT' }],
    [signerOf(await companyCertificate(institution)), { ...wholeDocument, level: 'AD-RA' }],
  ] as const
  return signedAnyhow(bytes, steps)
}

function assembledDegree(source: Buffer, terms: DocumentTerms = {}): Buffer {
  const nonce = /id="ReqDip(\d{44})"/.exec(source.toString())![1]!
  const input: Loose = structuredClone(sampleDegree({ nonce }))
  const { dadosDiploma, dadosRegistro } = input.diploma.infDiploma
  changedData(dadosDiploma, terms)
  dadosRegistro.iesRegistradora = named(dadosRegistro.iesRegistradora, terms.registrar ?? registrar)
  dadosRegistro.seguranca.codigoValidacao = terms.code ?? `${issuer.code}.${registrar.code}.${newCode()}`
  delete dadosRegistro.assinantes
  const whole = bytesOf('degree', input)
  const { start, end } = nodeRange(whole, dadosRegistro.id)!
  return assembleDegree(source, whole.subarray(start, end))
}

export const newCode = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)
