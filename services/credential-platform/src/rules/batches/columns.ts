// Columns of a file of rows: paths of the layout in camelCase, lists with their indices, as errors name them
// (`registroReq.dadosDiploma.diplomado.nome`, `historicoEscolar.elementosHistorico[2].disciplina.nota`).
import { type Field, formOf } from '@chancela/academic-documents/layouts'
import type { BatchKind, TranscriptType } from '../../contract/vocabulary.ts'

/** What decides which columns there may be. */
export interface ColumnsAsked {
  readonly kind: BatchKind
  readonly type?: TranscriptType | undefined
  /** Whether a course of the platform fills `dadosCurso` in. */
  readonly hasCourse: boolean
}

/** A column: where its cells go, and what they become there. */
export interface Column {
  readonly name: string
  /** Names of fields, and indices of lists. */
  readonly steps: readonly (string | number)[]
  readonly valueOf: (cell: string) => unknown
}

/** `#erros` and whatever else begins so is a remark, which nobody reads. */
export const isRemark = (name: string): boolean => name.startsWith('#')

type NamedField = Exclude<Field, { readonly kind: 'oneOf' }>

/** Fields by name; alternatives may have the same name with another content. */
const named = (fields: readonly Field[]): readonly NamedField[] =>
  fields.flatMap((field) => (field.kind === 'oneOf' ? field.options.flatMap(named) : [field]))

const insideOf = (field: NamedField): readonly Field[] =>
  field.kind === 'group' ? field.fields : field.kind === 'list' ? field.items : []

/** What stands at a path of names. */
const at = (fields: readonly Field[], ...names: readonly string[]): readonly Field[] =>
  names.reduce<readonly Field[]>(
    (inside, name) =>
      named(inside)
        .filter((field) => field.name === name)
        .flatMap(insideOf),
    fields,
  )

const roots = {
  Partial: 'documentoHistoricoEscolarParcial',
  Final: 'documentoHistoricoEscolarFinal',
  SecondCopyBornPhysical: 'documentoHistoricoEscolarSegundaViaNatoFisico',
} as const satisfies Readonly<Record<TranscriptType, string>>

const registrationNames = ['dadosRegistro', 'dadosRegistroNSF', 'dadosRegistroPorDecisaoJudicial'] as const

const documentation = (): readonly Field[] => at(formOf('academicDocumentation'), 'documentacaoAcademicaRegistro')

/** The field that holds the registrar's part of a degree, as single creations name it. */
const registration = (): Field => ({
  kind: 'group',
  name: 'registration',
  xmlName: '',
  label: 'Registro',
  required: true,
  repeated: false,
  fields: registrationNames.flatMap((name) => at(formOf('degree'), 'diploma', 'infDiploma', name)),
})

const forms: Readonly<Record<BatchKind, (asked: ColumnsAsked) => readonly Field[]>> = {
  Degree: () => [...documentation(), registration()],
  Emission: documentation,
  AcademicTranscript: ({ type = 'Final' }) => at(formOf('academicTranscript'), roots[type], 'infHistoricoEscolar'),
}

/** What the platform fills in, by the beginnings of paths. */
const filledIn: Readonly<Record<BatchKind, RegExp>> = {
  Degree:
    /^(registro\w+\.(dadosDiploma\w*\.)?id|registro\w+\.dadosDiploma\w*\.iesEmissora\..*|registration\.(id|iesRegistradora\..*|idDocumentacaoAcademica|seguranca\..*))$/,
  Emission: /^(registro\w+\.(dadosDiploma\w*\.)?id|registro\w+\.dadosDiploma\w*\.iesEmissora\..*)$/,
  AcademicTranscript: /^(iesEmissora|segurancaHistorico)\./,
}

const OF_COURSE = /^(registro\w+\.dadosDiploma\w*\.)?dadosCurso(NSF)?\./

/** A column, or why there is none of this name. */
export function columnsFor(asked: ColumnsAsked): (name: string) => Column | string {
  const fields = forms[asked.kind](asked)
  return (name) => {
    if (filledIn[asked.kind].test(name)) return 'is filled in by the platform'
    if (asked.hasCourse && OF_COURSE.test(name)) return 'is that of courseId'
    const steps = stepsOf(name)
    const field = steps && leafAt(fields, steps)
    return field ? { name, steps, valueOf: valuesOf(field) } : 'is not a column of the layout'
  }
}

const STEP = /^([a-zA-Z][a-zA-Z0-9]*)(?:\[(\d{1,3})\])?$/

function stepsOf(name: string): readonly (string | number)[] | undefined {
  const parts = name.split('.').map((part) => STEP.exec(part))
  if (parts.some((part) => part === null)) return undefined
  return parts.flatMap((part) => (part![2] === undefined ? [part![1]!] : [part![1]!, Number(part![2])]))
}

/** The field that a path leads to, where it can be answered by a cell. */
function leafAt(fields: readonly Field[], steps: readonly (string | number)[]): NamedField | undefined {
  const [name, ...rest] = steps
  for (const field of named(fields).filter((one) => one.name === name)) {
    const isList = field.repeated || field.kind === 'list'
    if (isList !== (typeof rest[0] === 'number')) continue
    const after = isList ? rest.slice(1) : rest
    if (after.length === 0 && isAnswerable(field)) return field
    const found = after.length === 0 ? undefined : leafAt(insideOf(field), after)
    if (found) return found
  }
  return undefined
}

/** A group that may be empty says something by being there, like a flag. */
const isAnswerable = (field: NamedField): boolean =>
  field.kind === 'value' ||
  field.kind === 'flag' ||
  (field.kind === 'group' && field.fields.every(({ required }) => !required))

const YES = /^(x|s|sim|true|verdadeiro|1)$/i
const NO = /^(n|não|nao|false|falso|0)$/i

/** Cells say yes in many ways; what is neither yes nor no is left to be refused where it stands. */
const answer =
  (yes: unknown) =>
  (cell: string): unknown =>
    YES.test(cell) ? yes : NO.test(cell) ? undefined : cell

/** Spreadsheets of Brazil write 7,5 and 31/12/2025; anything else is left as it is, for the layout to refuse. */
const decimal = (cell: string): string => (/^-?\d+,\d+$/.test(cell) ? cell.replace(',', '.') : cell)
const day = (cell: string): string => cell.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, '$3-$2-$1')

function valuesOf(field: NamedField): (cell: string) => unknown {
  if (field.kind === 'flag') return answer(true)
  if (field.kind === 'group') return answer({})
  const isDate = field.kind === 'value' && field.input === 'date'
  const isNumber = field.kind === 'value' && field.input === 'number'
  return isDate ? day : isNumber ? decimal : (cell) => cell
}

type Node = Record<string | number, unknown>

/** The data of a row: cells that are empty are absent, and so are items of lists without any. */
export function rowOf(columns: readonly (Column | undefined)[], cells: readonly string[]): Record<string, unknown> {
  const row: Node = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? ''
    const value = cell === '' ? undefined : column?.valueOf(cell)
    if (column && value !== undefined) place(row, column.steps, value)
  }
  return packed(row) as Record<string, unknown>
}

function place(into: Node, steps: readonly (string | number)[], value: unknown): void {
  const [step, ...rest] = steps
  if (rest.length === 0) {
    // A group that is there because a field inside of it is need not be said to be there.
    into[step!] ??= value
    return
  }
  into[step!] ??= typeof rest[0] === 'number' ? [] : {}
  place(into[step!] as Node, rest, value)
}

/** Lists without their gaps. */
function packed(value: unknown): unknown {
  if (Array.isArray(value)) return Object.values(value).map(packed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, packed(inner)]))
}

/** The path that an error of the packed data has in the file: with the indices of its columns. */
export function columnPath(path: string, names: readonly string[], cells: readonly string[]): string {
  const filled = names.filter((name, index) => !isRemark(name) && (cells[index] ?? '') !== '')
  let own = ''
  for (const part of path.split(/(?=\[\d+\])|(?<=\])/)) {
    const index = /^\[(\d+)\]$/.exec(part)?.[1]
    own += index === undefined ? part : `[${indicesAt(own, filled)[Number(index)] ?? index}]`
  }
  return own
}

function indicesAt(list: string, filled: readonly string[]): readonly number[] {
  const indices = filled
    .filter((name) => name.startsWith(`${list}[`))
    .map((name) => Number.parseInt(name.slice(list.length + 1), 10))
  return [...new Set(indices)].toSorted((a, b) => a - b)
}

/** The columns and cells that data have, in their order: what a template shows. Lists count from 1. */
export function cellsIn(value: unknown, path = ''): readonly (readonly [name: string, cell: string])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => cellsIn(item, `${path}[${index + 1}]`))
  if (typeof value !== 'object' || value === null) return [[path, value === true ? 'sim' : String(value)]]
  const fields = Object.entries(value)
  if (fields.length === 0) return [[path, 'sim']]
  return fields.flatMap(([name, inner]) => cellsIn(inner, path === '' ? name : `${path}.${name}`))
}
