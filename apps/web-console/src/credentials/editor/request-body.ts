// From what was typed to the request: which variant it is, and what is sent of it.
import type { MadeResource } from '../api/forms.ts'
import { type Draft, valueAt, withValue } from '../parts/draft.ts'
import { asSent, isNode } from './form-data.ts'
import type { Variant } from './form-types.ts'

/** What an empty page begins with. */
export const emptyDrafts: Readonly<Record<MadeResource, Draft>> = {
  degrees: { createAcademicTranscript: true, data: { registroReq: {} }, registration: {} },
  emissions: { data: { registroReq: {} } },
  'academic-transcripts': { type: 'Partial', data: {} },
  curriculums: { data: {} },
}

const degreeNodes = ['dadosDiploma', 'dadosDiplomaNSF', 'dadosDiplomaPorDecisaoJudicial']

/** The variant that was chosen: by the type, or by the name of the data. */
export function chosenVariant(variants: readonly Variant[], { type, data }: Draft): Variant {
  const chosen = variants.find(({ name }) => name === type || (isNode(data) && name in data))
  return chosen ?? variants[0]!
}

const registrationNames: Readonly<Record<string, string>> = {
  registroReqNSF: 'dadosRegistroNSF',
  registroPorDecisaoJudicialReq: 'dadosRegistroPorDecisaoJudicial',
}

/** The form of the registration that belongs to a variant of a degree. */
export const registrationVariant = (variants: readonly Variant[], { name }: Variant): Variant =>
  variants.find((one) => one.name === (registrationNames[name] ?? 'dadosRegistro'))!

/** The draft with another variant; what both ask for stays. */
export function withVariant(draft: Draft, from: Variant, to: Variant): Draft {
  if (from.at === to.at) return { ...draft, type: to.name }
  const value = valueAt(draft, from.at)
  const former = isNode(value) ? value : {}
  const known = to.fields.flatMap((field) => (field.kind === 'oneOf' ? field.options.flat() : [field]))
  const node = known.find((field) => field.kind === 'group' && degreeNodes.includes(field.name))
  const given = degreeNodes.map((name) => former[name]).find((one) => one !== undefined)
  const rest = Object.fromEntries(Object.entries(former).filter(([name]) => !degreeNodes.includes(name)))
  const moved = { ...rest, ...(node && node.kind !== 'oneOf' && given !== undefined && { [node.name]: given }) }
  return { ...draft, data: { [to.name]: moved } }
}

const chosenTexts = (value: Draft): Draft =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== '' && one !== undefined && one !== null))

/** What is sent: the choices of the page, and the data of each form. */
export function requestBody(draft: Draft, variants: readonly Variant[]): Draft {
  const { data: _, registration: __, flows, ...choices } = draft
  const chosenFlows = isNode(flows) ? chosenTexts(flows) : {}
  const filled = choices.courseId ? ['courseId'] : []
  const base: Draft = {
    ...chosenTexts(choices),
    ...(Object.keys(chosenFlows).length > 0 && { flows: chosenFlows }),
  }
  return variants.reduce((body, { at, fields }) => {
    const value = valueAt(draft, at)
    return withValue(body, at, asSent(fields, isNode(value) ? value : {}, filled))
  }, base)
}
