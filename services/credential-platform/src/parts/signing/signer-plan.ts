// Who signs a document: the plan of its kind, with the people and levels of the organization's flow.
import {
  type LevelSettings,
  type SignatureStep,
  type StepName,
  signaturePlans,
} from '@chancela/academic-documents/signatures'
import type { KeptStep } from '../../contract/setup.ts'
import type { XmlDocumentKind } from '../../contract/signing.ts'
import { wrongData } from '../../rules/refuse.ts'

/** Somebody who signs at the document platform. */
export interface PlatformSigner {
  readonly step: StepName
  /** Those of one turn sign side by side, after those before them. */
  readonly turn: number
  readonly name: string
  readonly cpf: string
  readonly email: string
  /** Of the institution they sign for. */
  readonly cnpj?: string
}

/** What is kept with a document. */
export interface SignerPlan {
  /** CPFs of the people of a step. A step without any is signed by whoever the organization has sign it, at least once. */
  readonly people: Readonly<Partial<Record<StepName, readonly string[]>>>
  readonly levels: LevelSettings
  /** Who signs at the document platform; absent where everybody signs here. */
  readonly platform?: readonly PlatformSigner[]
}

const nodeNames = {
  DadosDiploma: 'degreeData',
  DadosRegistro: 'registrationData',
  Document: 'document',
} as const satisfies Readonly<Record<KeptStep['node'], SignatureStep['node']>>

/** The steps that are signed in the document itself. */
const ownSteps = (kind: XmlDocumentKind): readonly SignatureStep[] =>
  signaturePlans[kind].filter(({ carried }) => !carried)

const stepOf = (kind: XmlDocumentKind, { node, certificateKind }: KeptStep): SignatureStep | undefined =>
  ownSteps(kind).find((step) => step.node === nodeNames[node] && step.certificate === certificateKind)

/** Refuses a flow that asks for what the plan of the kind has no place for. */
export function signerPlan(kind: XmlDocumentKind, flow: readonly KeptStep[] = []): SignerPlan {
  const people: Partial<Record<StepName, string[]>> = {}
  const levels: Partial<Record<StepName, SignatureStep['level']>> = {}
  for (const [at, asked] of flow.entries()) {
    const step = stepOf(kind, asked)
    if (step === undefined) throw wrongData({ flowId: [`has at steps[${at}] what a ${kind} has no place for`] })
    if ((levels[step.name] ?? asked.level) !== asked.level)
      throw wrongData({ flowId: [`has two levels for ${step.name}: ${levels[step.name]} and ${asked.level}`] })
    levels[step.name] = asked.level
    if (step.certificate === 'eCpf')
      people[step.name] = [...(people[step.name] ?? []), ...asked.participants.map(({ identifier }) => identifier)]
  }
  const platform = platformSigners(kind, flow)
  return { people, levels, ...(platform.length > 0 && { platform }) }
}

/** In the order of the flow; of institutions those alone for which somebody signs there. */
const platformSigners = (kind: XmlDocumentKind, flow: readonly KeptStep[]): readonly PlatformSigner[] =>
  flow.flatMap((asked, at) => {
    if (asked.signedAt !== 'DocumentPlatform') return []
    return asked.participants.flatMap((one) => signerOf(stepOf(kind, asked)!.name, at + 1, one))
  })

function signerOf(
  step: StepName,
  turn: number,
  { name, identifier, email, representative }: KeptStep['participants'][number],
): readonly PlatformSigner[] {
  if (email === undefined) return []
  const person = { step, turn, name, email }
  if (identifier.length === CPF_LENGTH) return [{ ...person, cpf: identifier }]
  return representative === undefined ? [] : [{ ...person, cpf: representative, cnpj: identifier }]
}

const CPF_LENGTH = 11
