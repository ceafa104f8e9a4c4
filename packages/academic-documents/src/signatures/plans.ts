import type { PolicyName } from '@chancela/signature-engine/policies'

/** The six kinds of official XML (credentials-platform facts 1.5). */
export type DocumentKind =
  | 'academicDocumentation'
  | 'degree'
  | 'academicTranscript'
  | 'curriculum'
  | 'cancellationList'
  | 'inspectionFile'

/** What a signature refers to, and stands in: one of the two data nodes by their ids, or the whole document. */
export type SignedNode = 'degreeData' | 'registrationData' | 'document'

/** Whose certificate: a person's, or the institution's. */
export type CertificateKind = 'eCpf' | 'eCnpj'

/** The institution in the document whose CNPJ the certificate has to show; an inspection file names either. */
export type Party = 'issuer' | 'registrar' | 'inspected'

export type StepName =
  | 'issuerPeople'
  | 'issuerInstitution'
  | 'issuerArchive'
  | 'registrarPeople'
  | 'registrarArchive'
  | 'inspectedArchive'

export interface SignatureStep {
  readonly name: StepName
  readonly node: SignedNode
  readonly party: Party
  /** People sign one after the other, each once; an institution once. */
  readonly certificate: CertificateKind
  /** Default level; a site may choose another (credentials-platform facts 1.6). */
  readonly level: PolicyName
  /**
   * `content`: every signature is left out of what is signed, so that others can sign the same node later.
   * `everything`: only the signature itself is, so that nothing can be added or taken away, signatures included.
   */
  readonly covers: 'content' | 'everything'
  /** Signed in another document and copied from there, byte by byte. */
  readonly carried: boolean
}

const person = (name: StepName, party: Party, node: SignedNode, level: PolicyName): SignatureStep => ({
  name,
  node,
  party,
  certificate: 'eCpf',
  level,
  covers: 'content',
  carried: false,
})

const institution = (name: StepName, party: Party, node: SignedNode, level: PolicyName): SignatureStep => ({
  ...person(name, party, node, level),
  certificate: 'eCnpj',
})

const archive = (name: StepName, party: Party): SignatureStep => ({
  ...institution(name, party, 'document', 'AD-RA'),
  covers: 'everything',
})

const carried = (step: SignatureStep): SignatureStep => ({ ...step, carried: true })

const issuerPeople = person('issuerPeople', 'issuer', 'degreeData', 'AD-RC')
const issuerInstitution = institution('issuerInstitution', 'issuer', 'degreeData', 'AD-RC')

/** Who signs what, in which order, at which level (credentials-platform facts 1.6). The last step closes the document. */
export const signaturePlans: Readonly<Record<DocumentKind, readonly SignatureStep[]>> = {
  academicDocumentation: [issuerPeople, issuerInstitution, archive('issuerArchive', 'issuer')],
  degree: [
    carried(issuerPeople),
    carried(issuerInstitution),
    person('registrarPeople', 'registrar', 'registrationData', 'AD-RC'),
    archive('registrarArchive', 'registrar'),
  ],
  academicTranscript: [person('issuerPeople', 'issuer', 'document', 'AD-RT'), archive('issuerArchive', 'issuer')],
  curriculum: [person('issuerPeople', 'issuer', 'document', 'AD-RT'), archive('issuerArchive', 'issuer')],
  cancellationList: [archive('registrarArchive', 'registrar')],
  inspectionFile: [archive('inspectedArchive', 'inspected')],
}

/** The step that closes a document of this kind. */
export const closingStep = (kind: DocumentKind): SignatureStep => signaturePlans[kind].at(-1)!

/** Levels a site sets instead of the plan's. */
export type LevelSettings = Readonly<Partial<Record<StepName, PolicyName>>>

export const levelOf = (step: SignatureStep, levels: LevelSettings = {}): PolicyName => levels[step.name] ?? step.level

const ASCENDING: readonly PolicyName[] = ['AD-RB', 'AD-RT', 'AD-RV', 'AD-RC', 'AD-RA']

/** Whether one form contains the other. */
export const isAtLeast = (level: string, least: PolicyName): boolean =>
  ASCENDING.indexOf(level as PolicyName) >= ASCENDING.indexOf(least)
