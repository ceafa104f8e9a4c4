// What the layouts say of institutions and courses, under the names of the layouts (credentials-platform facts 1.4).
import Type from 'typebox'
import { body, Day, line } from './common.ts'

const digits = (least: number, most = least) => Type.String({ pattern: `^[0-9]{${least},${most}}$` })

export const Cnpj = digits(14)

/** A code at the e-MEC. */
export const EmecCode = digits(1, 20)

const states = [
  ...['AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT', 'PA', 'PB', 'PE', 'PI', 'PR'],
  ...['RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'],
]

/** A municipality of Brazil with its IBGE code, or the name of one elsewhere: whichever it is is checked by a rule. */
const municipality = {
  codigoMunicipio: Type.Optional(digits(7)),
  nomeMunicipio: Type.Optional(line(255)),
  uf: Type.Optional(Type.Enum(states)),
  nomeMunicipioEstrangeiro: Type.Optional(line(255)),
}

const Endereco = body({
  logradouro: Type.String({ minLength: 2, maxLength: 150 }),
  numero: Type.Optional(line(60)),
  complemento: Type.Optional(line(60)),
  bairro: Type.String({ minLength: 2, maxLength: 60 }),
  ...municipality,
  cep: digits(8),
})

const actTypes = [
  'Parecer',
  'Resolução',
  'Decreto',
  'Portaria',
  'Deliberação',
  'Lei Federal',
  'Lei Estadual',
  'Lei Municipal',
  'Ato Próprio',
]

/** An act that was published, or the process at the e-MEC that has not led to one yet. */
const publication = {
  numero: Type.Optional(Type.String({ pattern: '^(S/N|\\d[-\\d\\w_/]*)$', maxLength: 60 })),
  data: Type.Optional(Day),
  veiculoPublicacao: Type.Optional(line(255)),
  dataPublicacao: Type.Optional(Day),
  secaoPublicacao: Type.Optional(Type.Integer({ minimum: 1 })),
  paginaPublicacao: Type.Optional(Type.Integer({ minimum: 1 })),
  numeroDOU: Type.Optional(Type.Integer({ minimum: 1 })),
}

const Ato = body({
  tipo: Type.Optional(Type.Enum(actTypes)),
  ...publication,
  informacoesTramitacaoEMEC: Type.Optional(
    body({ numeroProcesso: line(60), tipoProcesso: line(255), dataCadastro: Day, dataProtocolo: Day }),
  ),
})

const AtoAutorizacaoRegistro = body({
  tipo: Type.Enum([...actTypes.filter((type) => type !== 'Ato Próprio'), 'Despacho']),
  ...publication,
})

/** What the layouts say of an institution besides its name, code and CNPJ. */
export const InstituteData = body(
  {
    endereco: Endereco,
    credenciamento: Ato,
    recredenciamento: Type.Optional(Ato),
    renovacaoDeRecredenciamento: Type.Optional(Ato),
    atoRegulatorioAutorizacaoRegistro: Type.Optional(AtoAutorizacaoRegistro),
    mantenedora: Type.Optional(body({ razaoSocial: line(255), cnpj: Cnpj, endereco: Endereco })),
  },
  'InstituteData',
)

const tramitacao = body({ numeroProcesso: line(60), tipoProcesso: line(255), dataCadastro: Day, dataProtocolo: Day })

/** What the layouts say of a course besides its name and code. */
export const CourseData = body(
  {
    semCodigoCursoEMEC: Type.Optional(tramitacao),
    habilitacao: Type.Optional(
      Type.Array(body({ nomeHabilitacao: line(255), dataHabilitacao: Day }), { maxItems: 50 }),
    ),
    modalidade: Type.Optional(Type.Enum(['Presencial', 'EAD', 'Semipresencial'])),
    tituloConferido: Type.Optional(
      body({
        titulo: Type.Optional(Type.Enum(['Licenciado', 'Tecnólogo', 'Bacharel', 'Médico'])),
        outroTitulo: Type.Optional(line(255)),
      }),
    ),
    grauConferido: Type.Optional(Type.Enum(['Tecnólogo', 'Bacharelado', 'Licenciatura', 'Curso sequencial'])),
    enfase: Type.Optional(Type.Array(line(255), { maxItems: 50 })),
    enderecoCurso: Type.Optional(Endereco),
    polo: Type.Optional(body({ nome: line(255), endereco: Endereco, codigoEMEC: Type.Optional(EmecCode) })),
    autorizacao: Type.Optional(Ato),
    reconhecimento: Type.Optional(Ato),
    renovacaoReconhecimento: Type.Optional(Ato),
  },
  'CourseData',
)
