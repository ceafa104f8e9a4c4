// The academic documentation of layout 1.02.
import {
  allowed,
  children,
  choice,
  complex,
  element,
  empty,
  many,
  oneSignature,
  optional,
  required,
  valued,
  withAttributes,
} from '../../language/content.ts'
import { narrowed, oneOf } from '../../language/simple.ts'
import { cpf, data, idDaDocumentacao, lattes, nota, notaAteCem, numeroPositivo, pdfA } from '../v105/values.ts'
import { dadosDoDiploma } from './degree.ts'
import { filiacao } from './parts.ts'
import { linha, nome, versao } from './values.ts'

const docente = children(
  element('Nome', nome),
  element('Titulacao', oneOf('Graduação', 'Especialização', 'Mestrado', 'Doutorado')),
  optional(element('Lattes', lattes)),
  optional(element('CPF', cpf)),
)

const conceito = oneOf(
  ...(['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-'] as const),
  ...(['D+', 'D', 'D-', 'E+', 'E', 'E-', 'F+', 'F', 'F-'] as const),
)

const disciplina = children(
  element('Disciplina', linha),
  element('Periodo', linha),
  element('CargaHoraria', numeroPositivo),
  choice(
    element('Nota', nota),
    element('NotaAteCem', notaAteCem),
    element('Conceito', conceito),
    element('Aprovado', empty),
    element('Reprovado', empty),
  ),
  element('Docentes', children(many(element('Docente', docente)))),
)

const enade = complex(
  choice(
    element(
      'Situacao',
      oneOf(
        'IRREGULAR',
        'Ingressante / Participante',
        'Dispensado, em razão do calendário trienal',
        'Concluinte / Participante',
        'Dispensado pelo MEC',
        'Dispensado, em razão da natureza do curso',
        'Dispensado, por razão de ordem pessoal',
        'Dispensado, por ato da instituição de ensino',
        'Dispensado, em razão de mobilidade acadêmica no exterior',
        'Estudante não habilitado ao ENADE em razão do calendário do ciclo avaliativo',
      ),
    ),
    element('OutraSituacao', linha),
  ),
)

const historico = children(
  element('MatrizCurricular', children(many(element('DisciplinaCursada', disciplina)))),
  element('DataEmissaoHistorico', data),
  element('SituacaoAluno', oneOf('Aprovado')),
  element('ENADE', enade),
  optional(element('DataProvaEnade', data)),
  element('CargaHorariaCursoIntegralizada', numeroPositivo),
)

const formaAcesso = oneOf(
  'Programas de avaliação seriada ou continuada',
  'Convenios',
  'Histórico escolar',
  'Sisu',
  'Enem',
  'Vestibular',
  'Prova agendada',
  'Entrevista',
  'Transferência',
  'Outros',
)

const ingresso = [
  element('CargaHorariaCurso', numeroPositivo),
  element(
    'IngressoCurso',
    children(element('Data', data), element('FormaAcesso', formaAcesso), element('DataConclusao', data)),
  ),
] as const

const termo = optional(
  element(
    'TermoResponsabilidade',
    children(
      element('Nome', nome),
      element('CPF', cpf),
      element('Cargo', linha),
      optional(element('AtoDesignacao', pdfA)),
    ),
  ),
)

const tipos = oneOf(
  'TermoResponsabilidade',
  'DocumentoIdentidadeDoAluno',
  'ProvaConclusaoEnsinoMedio',
  'HistoricoEscolar',
  'ProvaColacao',
  'ComprovacaoEstagioCurricular',
  'CertidaoNascimento',
  'CertidaoCasamento',
  'TituloEleitor',
  'AtoNaturalizacao',
  'Outros',
)

const documento = valued(pdfA, {
  tipo: required(narrowed(tipos, tipos.expects, { blanks: 'collapse' })),
  observacoes: allowed(linha),
})

const comprovantes = optional(element('DocumentacaoComprobatoria', children(many(element('Documento', documento)))))

const comId = { versao, id: required(idDaDocumentacao) } as const

const primeiraVia = withAttributes(
  children(
    dadosDoDiploma,
    element(
      'DadosPrivadosDiplomado',
      children(element('Filiacao', filiacao), element('HistoricoEscolar', historico), ...ingresso),
    ),
    termo,
    comprovantes,
  ),
  comId,
)

const segundaVia = withAttributes(
  children(
    dadosDoDiploma,
    element(
      'DadosPrivadosDiplomado',
      children(element('Filiacao', filiacao), optional(element('HistoricoEscolar', historico)), ...ingresso),
    ),
    termo,
    comprovantes,
  ),
  comId,
)

/** The roots of this kind. */
export const academicDocumentation = [
  element(
    'DocumentacaoAcademicaRegistro',
    children(choice(element('RegistroReq', primeiraVia), element('RegistroSegundaViaReq', segundaVia)), oneSignature),
  ),
] as const
