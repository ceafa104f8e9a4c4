// Who signs a document: the plan of its kind, with the people and levels of the organization's flow.
import {
  type LevelSettings,
  type SignatureStep,
  type StepName,
  signaturePlans,
} from '@chancela/academic-documents/signatures'
import type { Static } from 'typebox'
import type { FlowFields } from '../../contract/setup.ts'
import type { XmlDocumentKind } from '../../contract/signing.ts'
import { wrongData } from '../../rules/refuse.ts'

type FlowStep = Static<typeof FlowFields>['steps'][number]

/** What is kept with a document. */
export interface SignerPlan {
  /** CPFs of the people of a step. A step without any is signed by whoever the organization has sign it, at least once. */
  readonly people: Readonly<Partial<Record<StepName, readonly string[]>>>
  readonly levels: LevelSettings
}

const nodeNames = {
  DadosDiploma: 'degreeData',
  DadosRegistro: 'registrationData',
  Document: 'document',
} as const satisfies Readonly<Record<FlowStep['node'], SignatureStep['node']>>

/** The steps that are signed in the document itself. */
const ownSteps = (kind: XmlDocumentKind): readonly SignatureStep[] =>
  signaturePlans[kind].filter(({ carried }) => !carried)

const stepOf = (kind: XmlDocumentKind, { node, certificateKind }: FlowStep): SignatureStep | undefined =>
  ownSteps(kind).find((step) => step.node === nodeNames[node] && step.certificate === certificateKind)

/** Refuses a flow that asks for what the plan of the kind has no place for. */
export function signerPlan(kind: XmlDocumentKind, flow: readonly FlowStep[] = []): SignerPlan {
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
  return { people, levels }
}
