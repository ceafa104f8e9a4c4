// Which steps a signing flow may have (credentials-platform facts 1.6).
import type { FieldErrors } from '@chancela/service-kernel/errors'
import type { Static } from 'typebox'
import type { FlowFields, flowDocuments, SigningPlace } from '../contract/setup.ts'

type Step = Static<typeof FlowFields>['steps'][number]
type DocumentKind = (typeof flowDocuments)[number]

/** What is signed in each document: inner nodes first, and the whole at last. */
const nodes: Readonly<Record<DocumentKind, readonly Step['node'][]>> = {
  AcademicDocumentation: ['DadosDiploma', 'Document'],
  Degree: ['DadosRegistro', 'Document'],
  AcademicTranscript: ['Document'],
  Curriculum: ['Document'],
  CancellationList: ['Document'],
  InspectionFile: ['Document'],
}

/** Documents of one signature, which is the institution's. */
const signedOnce: readonly DocumentKind[] = ['CancellationList', 'InspectionFile']

const LENGTHS = { eCpf: 11, eCnpj: 14 } as const

function stepProblem(kind: DocumentKind, { node, certificateKind, participants }: Step): string | undefined {
  if (!nodes[kind].includes(node)) return `has no node ${node} in ${kind}`
  if (participants.some(({ identifier }) => identifier.length !== LENGTHS[certificateKind]))
    return `needs the ${certificateKind === 'eCpf' ? 'CPF' : 'CNPJ'} of each participant`
  if (certificateKind === 'eCpf' && participants.some(({ representative }) => representative !== undefined))
    return 'has a representative where a person signs'
  return undefined
}

/** The institution closes the document, and nothing is signed after that. */
function orderProblem(kind: DocumentKind, steps: readonly Step[]): string | undefined {
  const last = steps.at(-1)!
  if (last.node !== 'Document' || last.certificateKind !== 'eCnpj' || last.level !== 'AD-RA')
    return 'must end with the institution, which signs the whole document as AD-RA'
  if (steps.slice(0, -1).some(({ level }) => level === 'AD-RA')) return 'must have AD-RA at the end alone'
  if (signedOnce.includes(kind)) return steps.length === 1 ? undefined : 'must have one signature'
  const order = nodes[kind]
  const places = steps.map(({ node }) => order.indexOf(node))
  if (places.some((place, at) => at > 0 && place < places[at - 1]!)) return 'must sign inner nodes before the whole'
  return steps.some(({ certificateKind }) => certificateKind === 'eCpf') ? undefined : 'must have a person who signs'
}

/** What is wrong with the steps of a flow; undefined when nothing is. */
export function flowProblems(kind: DocumentKind, steps: readonly Step[]): FieldErrors | undefined {
  const wrong = steps.flatMap((step, at) => {
    const problem = stepProblem(kind, step)
    return problem === undefined ? [] : [[`steps[${at}]`, [problem]] as const]
  })
  const order = wrong.length === 0 ? orderProblem(kind, steps) : undefined
  const all = order === undefined ? wrong : [...wrong, ['steps', [order]] as const]
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

type Participant = Step['participants'][number]

const NEEDED = 'is required where people sign at the document platform'

/**
 * What the document platform needs to know of a participant. The institution signs here with its stored certificate,
 * unless somebody is named who signs for it there.
 */
const needs = (kind: DocumentKind, { certificateKind }: Step, one: Participant): readonly (keyof Participant)[] => {
  if (certificateKind === 'eCpf') return ['email']
  return signedOnce.includes(kind) || one.representative !== undefined ? ['representative', 'email'] : []
}

/** What is missing of the participants of a flow that is signed elsewhere; undefined when nothing is. */
export function placeProblems(
  kind: DocumentKind,
  steps: readonly Step[],
  signedAt: SigningPlace,
): FieldErrors | undefined {
  if (signedAt === 'Here') return undefined
  const wrong = steps.flatMap((step, at) =>
    step.participants.flatMap((one, place) =>
      needs(kind, step, one)
        .filter((field) => one[field] === undefined)
        .map((field) => [`steps[${at}].participants[${place}].${field}`, [NEEDED]] as const),
    ),
  )
  return wrong.length === 0 ? undefined : Object.fromEntries(wrong)
}
