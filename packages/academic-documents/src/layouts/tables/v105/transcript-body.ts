// What a student did, unit by unit, and where that has led. A second copy of a transcript that was born on paper may lack
// codes, teachers, ENADE and admission.
import {
  allowed,
  anyNumber,
  children,
  choice,
  complex,
  element,
  empty,
  many,
  optional,
  sequence,
  valued,
  withAttributes,
} from '../../language/content.ts'
import { oneOf, text } from '../../language/simple.ts'
import { unitCode } from '../character-sets.ts'
import {
  ano,
  anoMes,
  cnpj,
  codigoDoCurriculo,
  cpf,
  data,
  hora,
  horaRelogio,
  lattes,
  linha,
  nome,
  nota,
  notaAteCem,
  numeroPositivo,
  titulacao,
} from './values.ts'

export const codigoDaUnidade = text('letras, algarismos, hífen ou ponto, sem espaços', {
  blanks: 'collapse',
  patterns: [unitCode],
})

const comEtiqueta = { etiqueta: allowed(linha, 'Código de uma etiqueta do currículo.') } as const
const horas = choice(element('HoraAula', numeroPositivo), element('HoraRelogio', horaRelogio))
const cargaHoraria = complex(horas)
const cargaHorariaComEtiqueta = withAttributes(complex(horas), comEtiqueta)
const horaRelogioComEtiqueta = valued(horaRelogio, comEtiqueta)

const docente = children(
  element('Nome', nome),
  element('Titulacao', titulacao),
  optional(element('Lattes', lattes)),
  optional(element('CPF', cpf)),
)
const docentes = children(many(element('Docente', docente)))

const conceito = oneOf(
  ...(['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-'] as const),
  ...(['D+', 'D', 'D-', 'E+', 'E', 'E-', 'F+', 'F', 'F-'] as const),
)

const avaliacao = optional(
  choice(
    element('Nota', nota),
    element('NotaAteCem', notaAteCem),
    element('Conceito', conceito),
    element('ConceitoRM', oneOf('A', 'B', 'C', 'APD', 'APP', 'APR')),
    element('ConceitoEspecificoDoCurso', linha),
  ),
)

const aprovado = complex(
  optional(
    choice(
      element('FormaIntegralizacao', oneOf('Cursado', 'Validado', 'Aproveitado')),
      element('OutraFormaIntegralizacao', linha),
    ),
  ),
)

const resultado = choice(element('Aprovado', aprovado), element('Pendente', empty), element('Reprovado', empty))

const andamentoDaDisciplina = [
  element('NomeDisciplina', linha),
  element('PeriodoLetivo', linha, 'Por exemplo: 2026/1.'),
  many(element('CargaHoraria', cargaHorariaComEtiqueta)),
  avaliacao,
  resultado,
] as const

const disciplina = children(
  element('CodigoDisciplina', codigoDaUnidade),
  ...andamentoDaDisciplina,
  element('Docentes', docentes),
)
const disciplinaDeSegundaVia = children(
  optional(element('CodigoDisciplina', codigoDaUnidade)),
  ...andamentoDaDisciplina,
  optional(element('Docentes', docentes)),
)

const andamentoDaAtividade = [
  element('DataInicio', data),
  element('DataFim', data),
  optional(element('DataRegistro', data)),
  element('TipoAtividadeComplementar', linha),
  optional(element('Descricao', linha)),
  many(element('CargaHorariaEmHoraRelogio', horaRelogioComEtiqueta)),
  element('DocentesResponsaveisPelaValidacao', docentes),
] as const

const atividade = children(element('CodigoAtividadeComplementar', codigoDaUnidade), ...andamentoDaAtividade)
const atividadeDeSegundaVia = children(
  optional(element('CodigoAtividadeComplementar', codigoDaUnidade)),
  ...andamentoDaAtividade,
)

/** A company or a person. */
const concedente = complex(
  choice(
    sequence(element('RazaoSocial', nome), optional(element('NomeFantasia', nome)), element('CNPJ', cnpj)),
    sequence(element('Nome', nome), element('CPF', cpf)),
  ),
)

const estagio = children(
  element('CodigoUnidadeCurricular', codigoDaUnidade),
  element('DataInicio', data),
  element('DataFim', data),
  optional(element('Concedente', concedente)),
  optional(element('Descricao', linha)),
  many(element('CargaHorariaEmHorasRelogio', horaRelogioComEtiqueta)),
  element('DocentesOrientadores', docentes),
)

const intercambio = children(
  optional(element('Instituicao', linha)),
  optional(element('Pais', linha)),
  optional(element('NomeProgramaIntercambio', linha)),
)

const formado = children(
  element('DataConclusaoCurso', data),
  element('DataColacaoGrau', data),
  element('DataExpedicaoDiploma', data),
)

const situacao = choice(
  element('Trancamento', empty),
  element('MatriculadoEmDisciplina', empty),
  element('Licenca', empty),
  element('IntercambioInternacional', intercambio),
  element('IntercambioNacional', intercambio),
  element('Desistencia', empty),
  element('Abandono', empty),
  element('Jubilado', empty),
  element('Formado', formado),
  element('OutraSituacao', linha),
)

const situacaoNoPeriodo = children(element('PeriodoLetivo', linha), situacao)
const situacaoAtual = children(optional(element('PeriodoLetivo', linha)), situacao)

const elementosDoHistorico = complex(
  many(
    choice(
      element('Disciplina', disciplina),
      element('AtividadeComplementar', atividade),
      element('Estagio', estagio),
      element('SituacaoDiscente', situacaoNoPeriodo),
    ),
  ),
)

const elementosDeSegundaVia = complex(
  many(
    choice(
      element('Disciplina', disciplinaDeSegundaVia),
      element('AtividadeComplementar', atividadeDeSegundaVia),
      element('Estagio', estagio),
      element('SituacaoDiscente', situacaoNoPeriodo),
    ),
  ),
)

const participacao = [
  element('Condicao', oneOf('Ingressante', 'Concluinte')),
  element('Edicao', ano, 'Ano da edição do ENADE.'),
] as const

const naoHabilitado = children(
  ...participacao,
  choice(
    element(
      'Motivo',
      oneOf(
        'Estudante não habilitado ao Enade em razão do calendário do ciclo avaliativo',
        'Estudante não habilitado ao Enade em razão da natureza do projeto pedagógico do curso',
      ),
    ),
    element('OutroMotivo', linha),
  ),
)

const enade = complex(
  anyNumber(
    choice(
      element('Habilitado', children(...participacao)),
      element('NaoHabilitado', naoHabilitado),
      element('Irregular', children(...participacao)),
    ),
  ),
)

const areas = children(anyNumber(element('Area', children(element('Codigo', linha), element('Nome', linha)))))

const formaAcesso = oneOf(
  'Vestibular',
  'Enem',
  'Avaliação Seriada',
  'Seleção Simplificada',
  'Egresso BI/LI',
  'PEC-G',
  'Transferência Ex Officio',
  'Decisão judicial',
  'Seleção para Vagas Remanescentes',
  'Seleção para Vagas de Programas Especiais',
)

const areasIntegralizadas = [
  optional(element('NomeParaAreas', linha, 'Como o curso chama as suas áreas: ênfases, linhas de formação.')),
  optional(element('Areas', areas)),
] as const

const emissao = [
  element('DataEmissaoHistorico', data),
  element('HoraEmissaoHistorico', hora),
  element('SituacaoAtualDiscente', situacaoAtual),
] as const

const cargas = [
  element('CargaHorariaCursoIntegralizada', cargaHoraria),
  element('CargaHorariaCurso', cargaHoraria),
] as const

export const historico = children(
  element('CodigoCurriculo', codigoDoCurriculo, 'Código do currículo escolar que o aluno segue.'),
  element('ElementosHistorico', elementosDoHistorico),
  ...areasIntegralizadas,
  ...emissao,
  element('ENADE', enade),
  ...cargas,
  element('IngressoCurso', children(element('Data', data), element('FormaAcesso', formaAcesso))),
)

export const historicoDeSegundaVia = children(
  optional(element('CodigoCurriculo', codigoDoCurriculo)),
  element('ElementosHistorico', elementosDeSegundaVia),
  ...areasIntegralizadas,
  ...emissao,
  optional(element('ENADE', enade)),
  ...cargas,
  optional(
    element(
      'IngressoCurso',
      children(
        element('Data', data),
        many(element('FormaAcesso', formaAcesso)),
        optional(element('AnoMesProcessoSeletivo', anoMes)),
      ),
    ),
  ),
)
