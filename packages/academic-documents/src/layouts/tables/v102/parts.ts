// The parts of degrees in layout 1.02: persons, institutions, courses. Only documents of their time have it.
import { children, choice, complex, element, many, optional, sequence } from '../../language/content.ts'
import { narrowed, oneOf } from '../../language/simple.ts'
import {
  cep,
  cnpj,
  codigoEMec,
  codigoMunicipio,
  cpf,
  data,
  identificador,
  numeroPositivo,
  sexo,
  uf,
} from '../v105/values.ts'
import { linha, nome, numeroDoAto, numeroRg } from './values.ts'

const municipio = choice(
  sequence(element('CodigoMunicipio', codigoMunicipio), element('NomeMunicipio', nome), element('UF', uf)),
  element('NomeMunicipioEstrangeiro', nome),
)

const trecho = (minLength: number) =>
  narrowed(linha, `texto de ${minLength} a 60 caracteres latinos, sem espaços no início nem no fim`, {
    minLength,
    maxLength: 60,
  })

const endereco = children(
  element('Logradouro', trecho(2)),
  optional(element('Numero', trecho(1))),
  optional(element('Complemento', trecho(1))),
  element('Bairro', trecho(2)),
  municipio,
  element('CEP', cep),
)

const rg = children(element('Numero', numeroRg), optional(element('OrgaoExpedidor', linha)), element('UF', uf))
const outroDocumento = children(element('TipoDocumento', linha), element('Identificador', linha))

export const diplomado = children(
  element('ID', identificador),
  element('Nome', nome),
  optional(element('NomeSocial', nome)),
  element('Sexo', sexo),
  element('Nacionalidade', nome),
  element('Naturalidade', complex(municipio)),
  element('CPF', cpf),
  choice(element('RG', rg), element('OutroDocumentoIdentificacao', outroDocumento)),
  element('DataNascimento', data),
)

export const filiacao = children(
  many(
    element('Genitor', children(element('Nome', nome), optional(element('NomeSocial', nome)), element('Sexo', sexo))),
  ),
)

const tramitacaoEMec = children(
  element('NumeroProcesso', numeroPositivo),
  element('TipoProcesso', linha),
  element('DataCadastro', data),
  element('DataProtocolo', data),
)

const ato = children(
  element(
    'Tipo',
    oneOf('Parecer', 'Resolução', 'Decreto', 'Portaria', 'Lei Federal', 'Lei Estadual', 'Lei Municipal', 'Ato Próprio'),
  ),
  element('Numero', numeroDoAto),
  element('Data', data),
  optional(element('VeiculoPublicacao', linha)),
  optional(element('DataPublicacao', data)),
  optional(element('SecaoPublicacao', numeroPositivo)),
  optional(element('PaginaPublicacao', numeroPositivo)),
  optional(element('NumeroDOU', numeroPositivo)),
  optional(element('InformacoesTramitacaoEMEC', tramitacaoEMec)),
)

const mantenedora = children(element('RazaoSocial', nome), element('CNPJ', cnpj), element('Endereco', endereco))

const dadosDaInstituicao = [
  element('Nome', nome),
  element('CodigoMEC', codigoEMec),
  element('CNPJ', cnpj),
  element('Endereco', endereco),
  element('Credenciamento', ato),
  optional(element('Recredenciamento', ato)),
  optional(element('RenovacaoDeRecredenciamento', ato)),
] as const

export const iesEmissora = children(...dadosDaInstituicao, optional(element('Mantenedora', mantenedora)))
export const iesRegistradora = children(...dadosDaInstituicao, element('Mantenedora', mantenedora))

const polo = children(
  element('Nome', linha),
  element('Endereco', endereco),
  choice(element('CodigoEMEC', codigoEMec), element('SemCodigoEMEC', tramitacaoEMec)),
)

const titulo = complex(
  choice(
    element('Titulo', oneOf('Licenciado', 'Técnico', 'Bacharel', 'Médico')),
    element('OutroTitulo', narrowed(nome, nome.expects, { blanks: 'collapse' })),
  ),
)

const descricaoDoCurso = [
  element('NomeCurso', linha),
  choice(element('CodigoCursoEMEC', codigoEMec), element('SemCodigoCursoEMEC', tramitacaoEMec)),
  element('NomeHabilitacao', linha),
  element('Modalidade', oneOf('Presencial', 'EAD')),
  element('TituloConferido', titulo),
  element('GrauConferido', oneOf('Tecnólogo', 'Bacharelado', 'Licenciatura', 'Curso sequencial')),
  element('EnderecoCurso', endereco),
  optional(element('Polo', polo)),
] as const

export const curso = children(
  ...descricaoDoCurso,
  element('Autorizacao', ato),
  element('Reconhecimento', ato),
  optional(element('RenovacaoReconhecimento', ato)),
)

export const cursoForaDoSistema = children(
  ...descricaoDoCurso,
  optional(element('Autorizacao', ato)),
  optional(element('Reconhecimento', ato)),
  optional(element('RenovacaoReconhecimento', ato)),
)
