// What no schema can say: fields that must agree with each other, and with other documents (credentials-platform facts
// 1.5). A table of rules, so that a site can see which one a document breaks and which exist.
import { nonceOf } from '../identifiers/nonce.ts'
import type { DocumentInput, DocumentKind } from '../kinds.ts'

/** What a document is compared with, where there is something to compare with. */
export interface ConsistencyContext {
  /** The curriculum that a transcript names. */
  readonly curriculum?: DocumentInput<'curriculum'>
}

export interface ConsistencyProblem {
  readonly code: ConsistencyCode
  /** Names of the fields, joined by dots. */
  readonly path: string
  readonly pt: string
  readonly en: string
}

interface Rule {
  readonly kinds: readonly DocumentKind[]
  readonly pt: string
  readonly en: string
  /** The places that break the rule. */
  readonly broken: (document: Node, context: ConsistencyContext) => readonly Place[]
}

/** A value with the path to it. */
interface Place {
  readonly path: string
  readonly value: unknown
}

/** A document as plain data, to be searched by the names of fields. */
type Node = Place

const degreeKinds = ['academicDocumentation', 'degree'] as const
const withTranscript = ['academicDocumentation', 'academicTranscript'] as const

const rules = {
  'dates-out-of-order': {
    kinds: [...degreeKinds, 'academicTranscript', 'inspectionFile'],
    pt: 'As datas não estão em ordem: conclusão, colação de grau, expedição, registro.',
    en: 'The dates are not in order: conclusion, conferral, expedition, registration.',
    broken: (document) =>
      [...find(document, 'livroRegistro'), ...find(document, 'dadosRegistro'), ...find(document, 'formado')].filter(
        (place) => !isAscending(datesOf(place, document)),
      ),
  },
  'period-reversed': {
    kinds: ['inspectionFile'],
    pt: 'A fiscalização termina antes de começar.',
    en: 'The inspection ends before it begins.',
    broken: (document) =>
      pairs(document, 'dataInicioFiscalizacao', 'dataFimFiscalizacao')
        .filter(([from, to]) => from.value! > to.value!)
        .map(([, to]) => to),
  },
  'activity-reversed': {
    kinds: withTranscript,
    pt: 'A atividade termina antes de começar.',
    en: 'The activity ends before it begins.',
    broken: (document) =>
      pairs(document, 'dataInicio', 'dataFim')
        .filter(([from, to]) => from.value! > to.value!)
        .map(([, to]) => to),
  },
  'graduated-in-partial': {
    kinds: ['academicTranscript'],
    pt: 'Só um histórico final pode dizer que o aluno se formou.',
    en: 'Only a final transcript may say that the student has graduated.',
    broken: (document) =>
      find(document, 'documentoHistoricoEscolarParcial').flatMap((partial) => find(partial, 'formado')),
  },
  'nonces-differ': {
    kinds: degreeKinds,
    pt: 'Os identificadores do diploma não têm todos o mesmo número.',
    en: 'The identifiers of the degree do not all have the same number.',
    broken: (document) => {
      const ids = [...find(document, 'id'), ...find(document, 'idDocumentacaoAcademica')]
      const nonces = ids.filter(({ value }) => nonceOf(String(value)) !== undefined)
      return nonces.filter(({ value }) => nonceOf(String(value)) !== nonceOf(String(nonces[0]!.value)))
    },
  },
  'code-of-others': {
    kinds: ['degree', 'academicTranscript', 'curriculum'],
    pt: 'O código de validação não começa com o código e-MEC da instituição.',
    en: 'The verification code does not begin with the e-MEC code of the institution.',
    broken: (document) => {
      const codes = [...find(document, 'iesEmissora'), ...find(document, 'iesRegistradora')].map((place) =>
        String(child(place, 'codigoMEC')?.value),
      )
      return find(document, 'codigoValidacao').filter(
        ({ value }) => String(value).split('.').slice(0, -1).join('.') !== codes.join('.'),
      )
    },
  },
  'documentation-repeated': {
    kinds: ['inspectionFile'],
    pt: 'A mesma documentação acadêmica aparece mais de uma vez.',
    en: 'The same academic documentation appears more than once.',
    broken: (document) => repeated(find(document, 'idDocumentacaoAcademica')),
  },
  'degree-repeated': {
    kinds: ['cancellationList', 'inspectionFile'],
    pt: 'O mesmo diploma aparece mais de uma vez.',
    en: 'The same degree appears more than once.',
    broken: (document) => repeated([...find(document, 'codigoDiplomaAnulado'), ...find(document, 'codigoDiploma')]),
  },
  'curriculum-other': {
    kinds: withTranscript,
    pt: 'O histórico cita outro currículo.',
    en: 'The transcript names another curriculum.',
    broken: (document, { curriculum }) =>
      curriculum === undefined
        ? []
        : find(document, 'codigoCurriculo').filter(
            ({ value }) => value !== curriculum.curriculoEscolar.infCurriculoEscolar.codigoCurriculo,
          ),
  },
  'unit-not-in-curriculum': {
    kinds: withTranscript,
    pt: 'O currículo não tem esta unidade curricular.',
    en: 'The curriculum has no such unit.',
    broken: (document, { curriculum }) => (curriculum === undefined ? [] : strangeUnits(document, curriculum)),
  },
  'label-undeclared': {
    kinds: ['curriculum'],
    pt: 'A etiqueta não está entre as do currículo.',
    en: 'The label is not among those of the curriculum.',
    broken: (document) => {
      const declared = codesIn(find(document, 'infEtiquetas'), 'codigo')
      return find(document, 'etiquetas')
        .flatMap((place) => find(place, 'codigo'))
        .filter(({ value }) => !declared.has(value))
    },
  },
  'criterion-undeclared': {
    kinds: ['curriculum'],
    pt: 'A expressão usa um critério que não existe.',
    en: 'The expression uses a criterion that does not exist.',
    broken: (document) => {
      const criteria = find(document, 'infCriteriosIntegralizacao')
      const sums = criteria.flatMap((place) => find(place, 'soma')).flatMap((place) => find(place, 'codigo'))
      const declared = new Set(
        criteria
          .flatMap((place) => find(place, 'codigo'))
          .filter(({ value }) => !Array.isArray(value))
          .map(({ value }) => value),
      )
      return sums.flatMap(items).filter(({ value }) => !declared.has(value))
    },
  },
} as const satisfies Readonly<Record<string, Rule>>

type ConsistencyCode = keyof typeof rules

/** Every rule with its sentences, for documentation. */
export const consistencyRules: Readonly<Record<ConsistencyCode, Pick<Rule, 'kinds' | 'pt' | 'en'>>> = rules

/** What in a document contradicts itself, or what it is compared with. */
export function checkConsistency<Kind extends DocumentKind>(
  kind: Kind,
  data: DocumentInput<Kind>,
  context: ConsistencyContext = {},
): readonly ConsistencyProblem[] {
  const document = { path: '', value: data }
  return (Object.entries(rules) as [ConsistencyCode, Rule][])
    .filter(([, rule]) => rule.kinds.includes(kind))
    .flatMap(([code, { broken, pt, en }]) => broken(document, context).map(({ path }) => ({ code, path, pt, en })))
}

/** Every field of this name, wherever it is. */
function find(place: Place, name: string): Place[] {
  const found: Place[] = []
  collect(place, name, found)
  return found
}

/** Fields of other names that hold nothing are most of a document: they are passed without a trace. */
function collect({ path, value }: Place, name: string, found: Place[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key !== name && (typeof inner !== 'object' || inner === null)) continue
    const place = { path: innerPath(path, value, key), value: inner }
    if (key === name) found.push(place)
    collect(place, name, found)
  }
}

const innerPath = (path: string, value: object, name: string): string =>
  Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`

function inside({ path, value }: Place): (Place & { readonly name: string })[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, inner]) => ({
    name,
    path: innerPath(path, value, name),
    value: inner,
  }))
}

const child = (place: Place, name: string): Place | undefined => inside(place).find((inner) => inner.name === name)

const items = (place: Place): Place[] => (Array.isArray(place.value) ? inside(place) : [place])

/** The objects that have both fields, as the two fields. */
function pairs(place: Place, first: string, second: string): [Place, Place][] {
  return find(place, first).flatMap((from) => {
    const parent = from.path.slice(0, -first.length)
    const to = find(place, second).find(({ path }) => path === parent + second)
    return to === undefined ? [] : [[from, to] as [Place, Place]]
  })
}

const dateOrder = [
  'dataConclusao',
  'dataConclusaoCurso',
  'dataColacaoGrau',
  'dataExpedicaoDiploma',
  'dataRegistroDiploma',
]

/** The conclusion stands elsewhere in a degree. */
function datesOf(place: Place, document: Node): string[] {
  const isBook = child(place, 'dataRegistroDiploma') !== undefined
  const conclusion = isBook ? find(document, 'dataConclusao') : []
  return [...conclusion, ...dateOrder.flatMap((name) => child(place, name) ?? [])].map(({ value }) => String(value))
}

/** Dates of the layouts compare as text, up to the year 9999. */
const isAscending = (dates: readonly string[]): boolean =>
  dates.every((date, at) => at === 0 || dates[at - 1]!.slice(0, 10) <= date.slice(0, 10))

function repeated(places: readonly Place[]): Place[] {
  return places.filter(({ value }, at) => places.findIndex((other) => other.value === value) < at)
}

const codesIn = (places: readonly Place[], name: string): ReadonlySet<unknown> =>
  new Set(places.flatMap((place) => find(place, name)).map(({ value }) => value))

const unitCodes = ['codigoDisciplina', 'codigoAtividadeComplementar', 'codigoUnidadeCurricular']

function strangeUnits(document: Node, curriculum: DocumentInput<'curriculum'>): Place[] {
  const known = codesIn([{ path: '', value: curriculum.curriculoEscolar.infCurriculoEscolar }], 'codigo')
  return unitCodes.flatMap((name) => find(document, name)).filter(({ value }) => !known.has(value))
}
