// Courses, as degrees describe them and, shorter, as transcripts and curriculums do. `NSF`: of an institution outside the
// federal system, whose acts are not recorded in e-MEC.
import { anyNumber, children, choice, complex, element, empty, optional } from '../../language/content.ts'
import { narrowed, oneOf } from '../../language/simple.ts'
import { atoOuTramitacao, tramitacaoEMec } from './acts-and-institutions.ts'
import { endereco } from './people-and-places.ts'
import { codigoEMec, data, linha, nome } from './values.ts'

const nomeDoCurso = element('NomeCurso', linha)

const codigoDoCurso = choice(
  element('CodigoCursoEMEC', codigoEMec, 'Código do curso no e-MEC.'),
  element('SemCodigoCursoEMEC', tramitacaoEMec, 'Em lugar do código, enquanto o curso não tem um.'),
)

const habilitacoes = anyNumber(
  element('Habilitacao', children(element('NomeHabilitacao', linha), element('DataHabilitacao', data))),
)

const atosObrigatorios = [
  element('Autorizacao', atoOuTramitacao),
  element('Reconhecimento', atoOuTramitacao),
  optional(element('RenovacaoReconhecimento', atoOuTramitacao)),
] as const

const atosOpcionais = [
  optional(element('Autorizacao', atoOuTramitacao)),
  optional(element('Reconhecimento', atoOuTramitacao)),
  optional(element('RenovacaoReconhecimento', atoOuTramitacao)),
] as const

const modalidade = oneOf('Presencial', 'EAD')
const modalidadeForaDoSistema = oneOf('Presencial', 'EAD', 'Semipresencial')

const tituloConferido = complex(
  choice(
    element('Titulo', oneOf('Licenciado', 'Tecnólogo', 'Bacharel', 'Médico')),
    element('OutroTitulo', narrowed(nome, nome.expects, { blanks: 'collapse' }), 'Só quando nenhum dos títulos serve.'),
  ),
)

const titulacaoConferida = [
  element('TituloConferido', tituloConferido),
  element('GrauConferido', oneOf('Tecnólogo', 'Bacharelado', 'Licenciatura', 'Curso sequencial')),
] as const

const polo = children(
  element('Nome', linha),
  element('Endereco', endereco),
  choice(element('CodigoEMEC', codigoEMec), element('SemCodigoEMEC', tramitacaoEMec)),
)

export const curso = children(
  nomeDoCurso,
  codigoDoCurso,
  habilitacoes,
  element('Modalidade', modalidade),
  ...titulacaoConferida,
  anyNumber(element('Enfase', linha)),
  element('EnderecoCurso', endereco),
  optional(element('Polo', polo)),
  ...atosObrigatorios,
)

export const cursoForaDoSistema = children(
  nomeDoCurso,
  codigoDoCurso,
  habilitacoes,
  element('Modalidade', modalidadeForaDoSistema),
  ...titulacaoConferida,
  element('EnderecoCurso', endereco),
  optional(element('Polo', polo)),
  ...atosOpcionais,
)

export const cursoPorDecisaoJudicial = children(
  nomeDoCurso,
  choice(
    element('CodigoCursoEMEC', codigoEMec),
    element('SemCodigoCursoEMEC', tramitacaoEMec),
    element('CodigoCursoEMEC_Indisponivel', empty),
  ),
  habilitacoes,
  element('Modalidade', modalidadeForaDoSistema),
  ...titulacaoConferida,
  choice(element('EnderecoCurso', endereco), element('EnderecoCurso_Indisponivel', empty)),
  optional(element('Polo', polo)),
  ...atosOpcionais,
)

/** What transcripts and curriculums say of a course, in or outside the federal system. */
export const cursoResumido = choice(
  element('DadosCurso', children(nomeDoCurso, codigoDoCurso, habilitacoes, ...atosObrigatorios)),
  element('DadosCursoNSF', children(nomeDoCurso, codigoDoCurso, habilitacoes, ...atosOpcionais)),
)
