// What representations show, from the data of the layouts: lists without the element around them, variants under one name.

type Node = Readonly<Record<string, unknown>>

/** Elements that only hold a list. */
const containers = new Set([
  'areas',
  'atividades',
  'docentes',
  'docentesOrientadores',
  'docentesResponsaveisPelaValidacao',
  'ementa',
  'equivalencias',
  'equivalencias[]',
  'etiquetas',
  'infAreas',
  'infEstruturaAtividadesComplementares',
  'infEstruturaCurricular',
  'infEtiquetas',
  'preRequisitos',
  'soma',
])

/** Lists whose items say in an element around them which they are. */
const wrapped = new Set(['infCriteriosIntegralizacao'])

/** Names of the same part in variants of a layout. */
const renamed: Readonly<Record<string, string>> = {
  dadosCursoNSF: 'dadosCurso',
  dadosDiplomaNSF: 'dadosDiploma',
  dadosDiplomaPorDecisaoJudicial: 'dadosDiploma',
  dadosRegistroNSF: 'dadosRegistro',
  dadosRegistroPorDecisaoJudicial: 'dadosRegistro',
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

function shown(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shownItem(item, name))
  if (!isNode(value)) return value
  if (containers.has(name)) return Object.values(value).flatMap((list) => shown([list].flat(), name))
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [renamed[key] ?? key, shown(part, key)]))
}

function shownItem(item: unknown, name: string): unknown {
  if (!isNode(item)) return item
  if (wrapped.has(name)) return shown(Object.values(item)[0], '')
  // An area may have several names; the page has room for the first.
  if (name === 'infAreas') return Object.fromEntries(Object.entries(item).map(([key, all]) => [key, [all].flat()[0]]))
  const { valor, ...rest } = item
  // Hours of activities stand as the text of their element.
  return valor === undefined ? shown(item, `${name}[]`) : { ...rest, horaRelogio: valor }
}

/** The body of a document: the one part of its root, and of that the one part. */
export function shownBody(data: object): object {
  const [root] = Object.values(data) as Node[]
  const [body] = Object.values(root ?? {})
  return shown(body, '') as object
}
