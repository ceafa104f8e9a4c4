// The forms that callers fill in, cut out of the layouts: without what the platform fills in itself.
import { type DocumentKind, type Field, formOf, inEnglish, WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import type { FormKind } from '../contract/forms.ts'
import { filledIn } from './filled-in.ts'

export type Language = 'pt-BR' | 'en-US'

type Named = Exclude<Field, { readonly kind: 'oneOf' }>
type Group = Extract<Field, { readonly kind: 'group' }>

/** A field with what fills it in, where something does. */
type FormField = Field & { readonly filledBy?: string }

interface Variant {
  readonly name: string
  readonly label: string
  readonly help?: string
  readonly at: string
  readonly fields: readonly FormField[]
}

const namedFields = (fields: readonly Field[]): readonly Named[] =>
  fields.flatMap((field) => (field.kind === 'oneOf' ? field.options.flatMap(namedFields) : [field]))

/** The group at a path of names, alternatives included. */
function groupAt(fields: readonly Field[], ...path: readonly string[]): Group {
  const [name, ...rest] = path
  const found = namedFields(fields).find((field) => field.name === name)
  if (found?.kind !== 'group') throw new Error(`the layout has no group ${name}`)
  return rest.length === 0 ? found : groupAt(found.fields, ...rest)
}

/** Fields without those of some names; an alternative that is left with one option is no alternative. */
function without(fields: readonly Field[], names: readonly string[]): readonly Field[] {
  return fields.flatMap((field): readonly Field[] => {
    if (field.kind !== 'oneOf') return names.includes(field.name) ? [] : [field]
    const options = field.options.map((option) => without(option, names)).filter(({ length }) => length > 0)
    return options.length === 1 && field.options.length > 1 && field.required ? options[0]! : [{ ...field, options }]
  })
}

/** The same, deeper: in the groups of these names. */
const withoutIn = (fields: readonly Field[], groups: readonly string[], names: readonly string[]): readonly Field[] =>
  fields.map((field): Field => {
    if (field.kind === 'oneOf')
      return { ...field, options: field.options.map((option) => withoutIn(option, groups, names)) }
    if (field.kind !== 'group' || !groups.includes(field.name)) return field
    return { ...field, fields: without(field.fields, names) }
  })

const courseNames = ['dadosCurso', 'dadosCursoNSF']

/** A course that is named by its id fills its fields in. */
function byCourse(fields: readonly Field[]): readonly FormField[] {
  return fields.map((field): FormField => {
    if (namedFields([field]).every(({ name }) => courseNames.includes(name))) return { ...field, filledBy: 'courseId' }
    return field.kind === 'group' && degreeNodes.includes(field.name)
      ? { ...field, fields: byCourse(field.fields) }
      : field.kind === 'oneOf'
        ? { ...field, options: field.options.map(byCourse) }
        : field
  })
}

const degreeNodes = ['dadosDiploma', 'dadosDiplomaNSF', 'dadosDiplomaPorDecisaoJudicial']
const requestNames = ['registroReq', 'registroReqNSF', 'registroSegundaViaReq', 'registroPorDecisaoJudicialReq']
const registrationNames = ['dadosRegistro', 'dadosRegistroNSF', 'dadosRegistroPorDecisaoJudicial']

type Form = (kind: DocumentKind) => readonly Field[]

const variantOf = ({ label, help }: Group, name: string, at: string, fields: readonly FormField[]): Variant => ({
  name,
  label,
  ...(help !== undefined && { help }),
  at,
  fields,
})

const documentations = (form: Form): readonly Variant[] =>
  requestNames.map((name) => {
    const group = groupAt(form('academicDocumentation'), 'documentacaoAcademicaRegistro', name)
    const fields = withoutIn(without(group.fields, filledIn.request), degreeNodes, filledIn.degreeData)
    return variantOf(group, name, `data.${name}`, byCourse(fields))
  })

const transcriptRoots = {
  Partial: 'documentoHistoricoEscolarParcial',
  Final: 'documentoHistoricoEscolarFinal',
  SecondCopyBornPhysical: 'documentoHistoricoEscolarSegundaViaNatoFisico',
} as const

const transcripts = (form: Form): readonly Variant[] =>
  Object.entries(transcriptRoots).map(([type, root]) => {
    const group = groupAt(form('academicTranscript'), root)
    const { fields } = groupAt(group.fields, 'infHistoricoEscolar')
    return variantOf(group, type, 'data', byCourse(without(fields, filledIn.transcript)))
  })

function curriculums(form: Form): readonly Variant[] {
  const group = groupAt(form('curriculum'), 'curriculoEscolar', 'infCurriculoEscolar')
  return [variantOf(group, 'curriculum', 'data', byCourse(without(group.fields, filledIn.curriculum)))]
}

const registrations = (form: Form): readonly Variant[] =>
  registrationNames.map((name) => {
    const group = groupAt(form('degree'), 'diploma', 'infDiploma', name)
    return variantOf(group, name, 'registration', without(group.fields, filledIn.registration))
  })

/** Name and code of a course are fields of their own, and a teaching centre has a code here. */
const courses = (form: Form): readonly Variant[] =>
  (['dadosDiploma', 'dadosDiplomaNSF'] as const).map((node) => {
    const group = groupAt(form('degree'), 'diploma', 'infDiploma', node, 'dadosCurso')
    const fields = withoutIn(without(group.fields, ['nomeCurso', 'codigoCursoEMEC']), ['polo'], ['semCodigoEMEC'])
    return variantOf(group, node, 'data', fields)
  })

const instituteParts = {
  Issuer: ['dadosDiploma', 'iesEmissora'],
  Registrar: ['dadosRegistro', 'iesRegistradora'],
  IssuerAndRegistrar: ['dadosRegistro', 'iesRegistradora'],
} as const

const institutes = (form: Form): readonly Variant[] =>
  Object.entries(instituteParts).map(([kind, path]) => {
    const group = groupAt(form('degree'), 'diploma', 'infDiploma', ...path)
    return variantOf(group, kind, 'data', without(group.fields, ['nome', 'codigoMEC', 'cnpj']))
  })

const forms: Readonly<Record<FormKind, (form: Form) => readonly Variant[]>> = {
  degrees: documentations,
  emissions: documentations,
  'academic-transcripts': transcripts,
  curriculums,
  registrations,
  courses,
  institutes,
}

const languages: Readonly<Record<Language, Form>> = {
  'pt-BR': formOf,
  'en-US': (kind) => inEnglish(formOf(kind)),
}

/** What is to be sent for a kind. */
export const layoutForm = (kind: FormKind, language: Language) => ({
  version: WRITTEN_VERSION,
  kind,
  language,
  variants: forms[kind](languages[language]),
})
