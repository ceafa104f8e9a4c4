import type { ActivityCategory, CompletionCriterion, CurricularUnit, CurriculumData } from './curriculum-shapes.ts'
import { courseTags, institutionTags, type Published, publicationTags } from './degree-tags.ts'
import { clockHours, lessonHours } from './numbers.ts'
import { type TableView, tableView } from './tables.ts'
import { type TagTable, tagOf } from './tags.ts'
import { longDate, shortDate } from './words.ts'

interface Named {
  readonly codigo: string
  readonly nome: string
}

/** A name that the document gives to a code; the code itself where it gives none. */
const nameOf = (all: readonly Named[], code: string): string => all.find(({ codigo }) => codigo === code)?.nome ?? code

const labels = (unit: CurricularUnit, { infEtiquetas }: CurriculumData): string =>
  (unit.etiquetas ?? []).map(({ codigo }) => nameOf(infEtiquetas, codigo)).join(', ')

const areas = (unit: CurricularUnit, { infAreas = [] }: CurriculumData): string =>
  (unit.areas ?? []).map(({ codigo }) => nameOf(infAreas, codigo)).join(', ')

/** A unit with the curriculum it is of, which has the names of its labels. */
type UnitRow = readonly [CurricularUnit, CurriculumData]

const units = tableView<CurriculumData, UnitRow>({
  rows: (data) => data.infEstruturaCurricular.map((unit): UnitRow => [unit, data]),
  columns: {
    codigo: { label: 'Código', value: ([unit]) => unit.codigo },
    nome: { label: 'Unidade curricular', value: ([unit]) => unit.nome },
    tipo: { label: 'Tipo', value: ([unit]) => unit.tipo },
    fase: { label: 'Fase', value: ([unit]) => unit.fase },
    horaAula: {
      label: 'Hora-aula',
      value: ([unit]) => (unit.cargaHorariaEmHoraAula !== undefined ? lessonHours(unit.cargaHorariaEmHoraAula) : ''),
    },
    horaRelogio: { label: 'Hora-relógio', value: ([unit]) => clockHours(unit.cargaHorariaEmHoraRelogio) },
    etiquetas: { label: 'Etiquetas', value: ([unit, data]) => labels(unit, data) },
    areas: { label: 'Áreas', value: ([unit, data]) => areas(unit, data) },
    preRequisitos: { label: 'Pré-requisitos', value: ([unit]) => unit.preRequisitos?.join(', ') },
    equivalencias: {
      label: 'Equivalências',
      value: ([unit]) => unit.equivalencias?.map((codes) => codes.join(' + ')).join('; '),
    },
    ementa: { label: 'Ementa', value: ([unit]) => unit.ementa?.join(' ') },
  },
  groups: {
    area: ([unit, data]) => areas(unit, data) || 'Sem área',
    etiqueta: ([unit, data]) => labels(unit, data) || 'Sem etiqueta',
    fase: ([unit]) => unit.fase ?? 'Sem fase',
    tipo: ([unit]) => unit.tipo,
  },
})

const named = (read: (data: CurriculumData) => readonly Named[]) =>
  tableView<CurriculumData, Named>({
    rows: read,
    columns: {
      codigo: { label: 'Código', value: ({ codigo }) => codigo },
      nome: { label: 'Nome', value: ({ nome }) => nome },
    },
  })

type ActivityRow = readonly [ActivityCategory, ActivityCategory['atividades'][number]]

const activities = tableView<CurriculumData, ActivityRow>({
  rows: ({ infEstruturaAtividadesComplementares: categories = [] }) =>
    categories.flatMap((category) => category.atividades.map((activity): ActivityRow => [category, activity])),
  columns: {
    codigo: { label: 'Código', value: ([, { codigo }]) => codigo },
    nome: { label: 'Atividade', value: ([, { nome, descricao }]) => [nome, descricao].filter(Boolean).join(': ') },
    limite: { label: 'Limite', value: ([, { limiteCargaHorariaEmHoraRelogio: limit }]) => clockHours(limit) },
  },
  groups: {
    categoria: ([{ nome, limiteCargaHorariaEmHoraRelogio: limit }]) =>
      limit === undefined ? nome : `${nome} (até ${clockHours(limit)})`,
  },
})

const optionalHours = (value: string | number | undefined): string => (value === undefined ? '' : clockHours(value))

type CriterionRow = readonly [CompletionCriterion, CurriculumData]

function scopeOf([{ unidadeCurricular, etiqueta = [], expressao }, { infEtiquetas }]: CriterionRow): string {
  if (expressao) return `Soma de ${expressao.soma.join(' + ')}`
  const names = etiqueta.map((code) => nameOf(infEtiquetas, code))
  return [unidadeCurricular, names.length > 0 && `etiqueta ${names.join(', ')}`].filter(Boolean).join(' · ')
}

const criteria = tableView<CurriculumData, CriterionRow>({
  rows: (data) => data.infCriteriosIntegralizacao.map((criterion): CriterionRow => [criterion, data]),
  columns: {
    codigo: { label: 'Código', value: ([{ codigo }]) => codigo },
    abrangencia: { label: 'Abrangência', value: scopeOf },
    minima: { label: 'Mínima', value: ([{ cargasHorariasCriterio: h }]) => optionalHours(h.cargaHorariaMinima) },
    maxima: { label: 'Máxima', value: ([{ cargasHorariasCriterio: h }]) => optionalHours(h.cargaHorariaMaxima) },
    total: {
      label: 'Para o total',
      value: ([{ cargasHorariasCriterio: h }]) => optionalHours(h.cargaHorariaParaTotal),
    },
  },
})

/** The tables that a template of a curriculum can place. */
export const curriculumTables: Readonly<Record<string, TableView<CurriculumData>>> = {
  unidades: units,
  etiquetas: named(({ infEtiquetas }) => infEtiquetas),
  areas: named(({ infAreas = [] }) => infAreas),
  atividades: activities,
  criterios: criteria,
}

/** Everything a template of a curriculum can show. */
export const curriculumTags: TagTable<Published<CurriculumData>> = {
  ...publicationTags<CurriculumData>(),
  ...courseTags(
    ({ dadosCurso }: CurriculumData) => dadosCurso,
    () => undefined,
  ),
  ...institutionTags('ies', ({ iesEmissora }: CurriculumData) => iesEmissora),
  'curriculo.codigo': tagOf('Código do currículo', (d) => d.codigoCurriculo),
  'curriculo.data': tagOf('Data do currículo por extenso', (d) => longDate(d.dataCurriculo)),
  'curriculo.dataCurta': tagOf('Data do currículo dd/mm/aaaa', (d) => shortDate(d.dataCurriculo)),
  'curriculo.minutosHoraAula': tagOf('Minutos de relógio da hora-aula', (d) => d.minutosRelogioDaHoraAula),
  'curriculo.nomeParaAreas': tagOf('Nome que o currículo dá às áreas', (d) => d.nomeParaAreas),
  'curriculo.unidades': tagOf('Quantidade de unidades curriculares', (d) => d.infEstruturaCurricular.length),
  informacoesAdicionais: tagOf('Informações adicionais', (d) => d.informacoesAdicionais),
}
