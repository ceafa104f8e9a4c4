import { courseTags, institutionTags, type Published, personTags, publicationTags } from './degree-tags.ts'
import { decimal, hoursText } from './numbers.ts'
import { type TableView, tableView } from './tables.ts'
import { type TagTable, tagOf } from './tags.ts'
import type {
  ComplementaryActivity,
  Discipline,
  EnadeEntry,
  Hours,
  Internship,
  StudentSituation,
  Teacher,
  TranscriptData,
} from './transcript-shapes.ts'
import { listed, longDate, shortDate } from './words.ts'

const teachers = (people: readonly Teacher[] = []): string =>
  people.map(({ nome, titulacao }) => `${nome} (${titulacao})`).join('; ')

const hours = (amounts: readonly Hours[]): string => amounts.map(hoursText).join(', ')

const grade = (d: Discipline): string | undefined => {
  const number = d.nota ?? d.notaAteCem
  return number === undefined ? (d.conceito ?? d.conceitoRM ?? d.conceitoEspecificoDoCurso) : decimal(number)
}

function outcome({ aprovado, pendente, reprovado }: Discipline): string | undefined {
  if (aprovado !== undefined) {
    const way = aprovado.formaIntegralizacao ?? aprovado.outraFormaIntegralizacao
    return way ? `Aprovado (${way})` : 'Aprovado'
  }
  if (pendente !== undefined) return 'Pendente'
  return reprovado === undefined ? undefined : 'Reprovado'
}

const period = ({ dataInicio, dataFim }: ComplementaryActivity | Internship): string =>
  `${shortDate(dataInicio)} a ${shortDate(dataFim)}`

const situationNames = {
  trancamento: 'Trancamento',
  matriculadoEmDisciplina: 'Matriculado em disciplina',
  licenca: 'Licença',
  intercambioInternacional: 'Intercâmbio internacional',
  intercambioNacional: 'Intercâmbio nacional',
  desistencia: 'Desistência',
  abandono: 'Abandono',
  jubilado: 'Jubilado',
  formado: 'Formado',
} as const satisfies Partial<Record<keyof StudentSituation, string>>

function situationText(situation: StudentSituation): string {
  const { outraSituacao, intercambioInternacional, intercambioNacional } = situation
  if (outraSituacao !== undefined) return outraSituacao
  const key = (Object.keys(situationNames) as (keyof typeof situationNames)[]).find(
    (one) => situation[one] !== undefined,
  )
  const { instituicao, pais, nomeProgramaIntercambio } = intercambioInternacional ?? intercambioNacional ?? {}
  const details = [instituicao, pais, nomeProgramaIntercambio].filter(Boolean).join(', ')
  return [key && situationNames[key], details && `(${details})`].filter(Boolean).join(' ')
}

const enadeStates = { habilitado: 'Habilitado', naoHabilitado: 'Não habilitado', irregular: 'Irregular' } as const

function enadeOf(entry: EnadeEntry) {
  const key = (Object.keys(enadeStates) as (keyof typeof enadeStates)[]).find((one) => entry[one] !== undefined)!
  return { situacao: enadeStates[key], ...entry[key]! }
}

const elements = ({ historicoEscolar }: TranscriptData) => historicoEscolar.elementosHistorico

const disciplines = tableView<TranscriptData, Discipline>({
  rows: (data) => elements(data).flatMap(({ disciplina }) => disciplina ?? []),
  columns: {
    periodo: { label: 'Período', value: (d) => d.periodoLetivo },
    codigo: { label: 'Código', value: (d) => d.codigoDisciplina },
    nome: { label: 'Unidade curricular', value: (d) => d.nomeDisciplina },
    cargaHoraria: { label: 'Carga horária', value: (d) => hours(d.cargaHoraria) },
    nota: { label: 'Nota', value: grade },
    situacao: { label: 'Situação', value: outcome },
    docentes: { label: 'Docentes', value: (d) => teachers(d.docentes) },
  },
  groups: { periodo: (d) => d.periodoLetivo },
})

const activities = tableView<TranscriptData, ComplementaryActivity>({
  rows: (data) => elements(data).flatMap(({ atividadeComplementar }) => atividadeComplementar ?? []),
  columns: {
    periodo: { label: 'Período', value: period },
    codigo: { label: 'Código', value: (a) => a.codigoAtividadeComplementar },
    nome: { label: 'Atividade', value: (a) => [a.tipoAtividadeComplementar, a.descricao].filter(Boolean).join(': ') },
    cargaHoraria: { label: 'Carga horária', value: (a) => hours(a.cargaHorariaEmHoraRelogio) },
    docentes: { label: 'Validação', value: (a) => teachers(a.docentesResponsaveisPelaValidacao) },
  },
})

const internships = tableView<TranscriptData, Internship>({
  rows: (data) => elements(data).flatMap(({ estagio }) => estagio ?? []),
  columns: {
    periodo: { label: 'Período', value: period },
    codigo: { label: 'Código', value: (i) => i.codigoUnidadeCurricular },
    nome: {
      label: 'Concedente e descrição',
      value: ({ concedente: c, descricao }) =>
        [c?.nomeFantasia ?? c?.razaoSocial ?? c?.nome, descricao].filter(Boolean).join(': '),
    },
    cargaHoraria: { label: 'Carga horária', value: (i) => hours(i.cargaHorariaEmHorasRelogio) },
    docentes: { label: 'Orientação', value: (i) => teachers(i.docentesOrientadores) },
  },
})

const situations = tableView<TranscriptData, StudentSituation>({
  rows: (data) => elements(data).flatMap(({ situacaoDiscente }) => situacaoDiscente ?? []),
  columns: {
    periodo: { label: 'Período', value: (s) => s.periodoLetivo },
    situacao: { label: 'Situação', value: situationText },
  },
})

const enade = tableView<TranscriptData, ReturnType<typeof enadeOf>>({
  rows: ({ historicoEscolar }) => (historicoEscolar.enade ?? []).map(enadeOf),
  columns: {
    situacao: { label: 'Situação', value: (e) => e.situacao },
    condicao: { label: 'Condição', value: (e) => e.condicao },
    edicao: { label: 'Edição', value: (e) => String(e.edicao) },
    motivo: { label: 'Motivo', value: (e) => e.motivo ?? e.outroMotivo },
  },
})

/** The tables that a template of a transcript can place. */
export const transcriptTables: Readonly<Record<string, TableView<TranscriptData>>> = {
  disciplinas: disciplines,
  atividades: activities,
  estagios: internships,
  situacoes: situations,
  enade,
}

const transcript = ({ historicoEscolar }: TranscriptData) => historicoEscolar

/** Everything a template of a transcript can show. */
export const transcriptTags: TagTable<Published<TranscriptData>> = {
  ...publicationTags<TranscriptData>(),
  ...personTags('aluno', ({ aluno }: TranscriptData) => aluno),
  ...courseTags(
    ({ dadosCurso }: TranscriptData) => dadosCurso,
    ({ aluno }) => aluno.sexo,
  ),
  ...institutionTags('ies', ({ iesEmissora }: TranscriptData) => iesEmissora),
  'historico.curriculo': tagOf('Código do currículo', (d) => transcript(d).codigoCurriculo),
  'historico.emissao': tagOf('Data de emissão por extenso', (d) => longDate(transcript(d).dataEmissaoHistorico)),
  'historico.emissaoCurta': tagOf(
    'Data e hora de emissão',
    (d) => `${shortDate(transcript(d).dataEmissaoHistorico)} ${transcript(d).horaEmissaoHistorico}`,
  ),
  'historico.situacao': tagOf('Situação atual', (d) => situationText(transcript(d).situacaoAtualDiscente)),
  'historico.periodo': tagOf('Período letivo da situação', (d) => transcript(d).situacaoAtualDiscente.periodoLetivo),
  'historico.conclusao': tagOf('Data de conclusão do curso', (d) => formed(d, 'dataConclusaoCurso')),
  'historico.colacao': tagOf('Data de colação de grau', (d) => formed(d, 'dataColacaoGrau')),
  'historico.expedicao': tagOf('Data de expedição do diploma', (d) => formed(d, 'dataExpedicaoDiploma')),
  'historico.cargaHoraria': tagOf('Carga horária do curso', (d) => hoursText(transcript(d).cargaHorariaCurso)),
  'historico.cargaIntegralizada': tagOf('Carga horária integralizada', (d) =>
    hoursText(transcript(d).cargaHorariaCursoIntegralizada),
  ),
  'historico.ingresso': tagOf(
    'Data de ingresso',
    (d) => transcript(d).ingressoCurso && shortDate(transcript(d).ingressoCurso!.data),
  ),
  'historico.formaAcesso': tagOf('Forma de acesso', (d) =>
    listed([transcript(d).ingressoCurso?.formaAcesso ?? []].flat()),
  ),
  informacoesAdicionais: tagOf('Informações adicionais', (d) => d.informacoesAdicionais),
}

function formed({ historicoEscolar }: TranscriptData, key: keyof NonNullable<StudentSituation['formado']>) {
  const value = historicoEscolar.situacaoAtualDiscente.formado?.[key]
  return value && shortDate(value)
}
