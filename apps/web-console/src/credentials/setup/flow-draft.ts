// The steps of a signing flow: what each document has to be signed in, and what the service will refuse.
import { formatTaxId } from '../../shared/format/format-brazilian.ts'
import type { Flow, FlowStep } from '../api/types.ts'
import type { Draft } from '../parts/draft.ts'

type DocumentKind = Flow['documentKind']

/** What is signed in each document: inner nodes first, and the whole at last. */
export const nodesOf: Readonly<Record<DocumentKind, readonly FlowStep['node'][]>> = {
  AcademicDocumentation: ['DadosDiploma', 'Document'],
  Degree: ['DadosRegistro', 'Document'],
  AcademicTranscript: ['Document'],
  Curriculum: ['Document'],
  CancellationList: ['Document'],
  InspectionFile: ['Document'],
}

const signer = { name: '', identifier: '', email: '', cargo: '' }

export const person = (node: FlowStep['node']): Draft => ({
  node,
  certificateKind: 'eCpf',
  level: 'AD-RC',
  participants: [signer],
})

const institution: Draft = { node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA', participants: [signer] }

/** The steps that a document of this kind has at least: people first, the institution closes it. */
export function usualSteps(kind: DocumentKind): readonly Draft[] {
  if (kind === 'CancellationList' || kind === 'InspectionFile') return [institution]
  return [person(nodesOf[kind][0]!), institution]
}

export const newFlow: Draft = {
  signedAt: 'Here',
  documentKind: 'AcademicDocumentation',
  instituteId: '',
  steps: usualSteps('AcademicDocumentation'),
}

export const flowDraftOf = ({ instituteId, name, documentKind, steps, signedAt }: Flow): Draft => ({
  instituteId: instituteId ?? '',
  name,
  documentKind,
  signedAt,
  steps: steps.map((step) => ({
    ...step,
    participants: step.participants.map((one) => ({ ...one, identifier: formatTaxId(one.identifier) })),
  })),
})

/** The steps with the one at a place before the one above it. */
export const raised = <Step>(steps: readonly Step[], at: number): readonly Step[] =>
  at < 1 ? steps : steps.toSpliced(at - 1, 2, steps[at]!, steps[at - 1]!)
