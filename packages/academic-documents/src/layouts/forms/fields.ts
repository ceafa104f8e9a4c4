// The layouts as forms: what to ask, in which order, and what each answer must look like.
import { type DocumentKind, written } from '../kinds.ts'
import type { Attribute, Choice, Complex, Element, ElementType, Particle } from '../language/content.ts'
import { labelOf } from '../language/labels.ts'
import { keyOf } from '../language/names.ts'
import type { Simple, ValueFamily } from '../language/simple.ts'
import { isList } from '../writing/field-keys.ts'

interface Named {
  /** The field of the input. */
  readonly name: string
  readonly xmlName: string
  readonly label: string
  readonly help?: string
  readonly required: boolean
  /** The answer is a list of these. */
  readonly repeated: boolean
}

/** One answer. */
export interface ValueField extends Named {
  readonly kind: 'value'
  readonly input: 'text' | 'date' | 'number' | 'file' | 'address' | 'choice'
  readonly expects: string
  /** For the answer as a whole, in JavaScript's syntax with the flag `u`; all must match. */
  readonly patterns: readonly string[]
  readonly options?: readonly string[]
  /** What users read instead of the options, where these are no words; in the same order. */
  readonly optionLabels?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly decimals?: number
}

/** An element that says something by being there: a checkbox, `true` in the input. */
interface FlagField extends Named {
  readonly kind: 'flag'
}

/** Fields that belong together. */
interface GroupField extends Named {
  readonly kind: 'group'
  readonly fields: readonly Field[]
}

/** A list in whose order each item is one of several things. */
interface ListField extends Named {
  readonly kind: 'list'
  readonly items: readonly Field[]
}

/** One of several; each option is the fields to be answered for it. No field of the input of its own. */
export interface AlternativeField {
  readonly kind: 'oneOf'
  readonly required: boolean
  readonly options: readonly (readonly Field[])[]
}

export type Field = ValueField | FlagField | GroupField | ListField | AlternativeField

/** The form of a kind: one field per root element; a document has one of them. */
export const formOf = (kind: DocumentKind): readonly Field[] => written[kind].map((root) => elementField(root))

const inputs: Readonly<Record<ValueFamily, ValueField['input']>> = {
  text: 'text',
  date: 'date',
  decimal: 'number',
  integer: 'number',
  unsignedInt: 'number',
  base64: 'file',
  uri: 'address',
  id: 'text',
}

function elementField(element: Element): Field {
  const named = {
    ...namedOf(element.name, element.help),
    required: element.min === 1,
    repeated: element.max === 'many',
  }
  return typedField(named, element.type)
}

const namedOf = (xmlName: string, help: string | undefined) => ({
  name: keyOf(xmlName),
  xmlName,
  label: labelOf(xmlName),
  ...(help !== undefined && { help }),
})

function typedField(named: Named, type: ElementType): Field {
  if (type.is === 'simple') return valueField(named, type)
  if (isList(type)) return { ...named, kind: 'list', items: fieldsOf((type.model as Choice).parts) }
  const fields = [...attributeFields(type), ...(type.model === undefined ? [] : particleFields(type.model))]
  if (type.valued !== undefined) return { ...named, kind: 'group', fields: [contentField(type.valued), ...fields] }
  return fields.length === 0 ? { ...named, kind: 'flag' } : { ...named, kind: 'group', fields }
}

/** The text of an element that also has attributes. */
function contentField(type: Simple<unknown>): Field {
  const named = { name: 'valor', xmlName: '', label: 'Valor', required: true, repeated: false }
  return valueField(named, type)
}

function valueField(named: Named, type: Simple<unknown>): ValueField {
  const { enumeration, minLength, maxLength, minimum, maximum, fractionDigits } = type
  return {
    ...named,
    kind: 'value',
    input: enumeration === undefined ? inputs[type.family] : 'choice',
    expects: type.expects,
    patterns: [...new Set(type.patterns.map(shortPattern))],
    ...(enumeration !== undefined && { options: enumeration, ...optionLabels(enumeration) }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(fractionDigits !== undefined && { decimals: fractionDigits }),
  }
}

/** Options that are names of the schema, or letters, and what they mean. */
const optionWords: Readonly<Record<string, string>> = {
  F: 'Feminino',
  M: 'Masculino',
  DocumentoIdentidadeDoAluno: 'Documento de identidade do aluno',
  ProvaConclusaoEnsinoMedio: 'Prova de conclusão do ensino médio',
  ProvaColacao: 'Prova da colação de grau',
  ComprovacaoEstagioCurricular: 'Comprovação do estágio curricular',
  CertidaoNascimento: 'Certidão de nascimento',
  CertidaoCasamento: 'Certidão de casamento',
  TituloEleitor: 'Título de eleitor',
  AtoNaturalizacao: 'Ato de naturalização',
}

/** `F` alone is a grade. */
function optionLabels(options: readonly string[]): { readonly optionLabels?: readonly string[] } {
  const meant = options.length === 2 || options.includes('ProvaColacao')
  return meant && options.some((option) => Object.hasOwn(optionWords, option))
    ? { optionLabels: options.map((option) => optionWords[option] ?? option) }
    : {}
}

/** Sets of characters are too long to be sent with every field: whoever fills in the form is told of blanks at the ends. */
const LONGEST_PATTERN = 200
const WITHOUT_BLANKS_AT_ENDS = '^\\S(?:.*\\S)?$'

const shortPattern = ({ source }: RegExp): string =>
  source.length <= LONGEST_PATTERN ? source : WITHOUT_BLANKS_AT_ENDS

/** Attributes that the generator writes are not asked. */
function attributeFields({ attributes }: Complex): Field[] {
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    attribute.fixed === undefined ? [attributeField(name, attribute)] : [],
  )
}

function attributeField(name: string, { type, min, help }: Attribute): Field {
  return valueField({ ...namedOf(name, help), required: min === 1, repeated: false }, type)
}

const fieldsOf = (parts: readonly Particle[]): Field[] => parts.flatMap(particleFields)

function particleFields(part: Particle): Field[] {
  if (part.is === 'element') return [elementField(part)]
  if (part.is === 'choice')
    return [{ kind: 'oneOf', required: part.min === 1, options: part.parts.map((option) => particleFields(option)) }]
  if (part.is !== 'sequence') return []
  const fields = fieldsOf(part.parts)
  return part.min === 1 ? fields : [{ kind: 'oneOf', required: false, options: [fields] }]
}
