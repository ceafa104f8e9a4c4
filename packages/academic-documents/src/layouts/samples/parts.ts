// Fictitious persons and institutions, as they could be.
import type { DocumentInput } from '../kinds.ts'

type Degree = Extract<
  DocumentInput<'degree'>['diploma']['infDiploma'],
  { dadosDiploma: unknown; dadosRegistro: unknown }
>
export type DegreeData = Degree['dadosDiploma']
export type RegistrationData = Degree['dadosRegistro']
export type Address = DegreeData['iesEmissora']['endereco']
export type Act = DegreeData['iesEmissora']['credenciamento']

export const sampleNonce = '20261117143300000000000000000000000000012345'

export const samplePdf = Buffer.from('%PDF-1.4\n% a page of nothing\n%%EOF\n').toString('base64')

const address: Address = {
  logradouro: 'Avenida da Universidade',
  numero: '2853',
  complemento: 'Bloco A, 2º andar',
  bairro: 'Benfica',
  codigoMunicipio: '2304400',
  nomeMunicipio: 'Fortaleza',
  uf: 'CE',
  cep: '60020181',
}

export const shortAddress: Address = {
  logradouro: 'Rua do Sol',
  bairro: 'Centro',
  codigoMunicipio: '3550308',
  nomeMunicipio: 'São Paulo',
  uf: 'SP',
  cep: '01001000',
}

export const act = (numero: string, data: string): Act => ({ tipo: 'Portaria', numero, data })

const publishedAct = (numero: string, data: string): Act => ({
  tipo: 'Decreto',
  numero,
  data,
  veiculoPublicacao: 'Diário Oficial da União',
  dataPublicacao: data,
  secaoPublicacao: 1,
  paginaPublicacao: 27,
  numeroDOU: 118,
})

/** An act that is still a process. */
export const pendingAct: Act = {
  informacoesTramitacaoEMEC: {
    numeroProcesso: 202412345,
    tipoProcesso: 'Renovação de Reconhecimento de Curso',
    dataCadastro: '2024-05-06',
    dataProtocolo: '2024-05-20',
  },
}

const maintainer = {
  razaoSocial: 'Fundação Educacional do Sol Nascente',
  cnpj: '11222333000181',
  endereco: shortAddress,
}

export const issuer: DegreeData['iesEmissora'] = {
  nome: 'Universidade do Sol Nascente',
  codigoMEC: 1234,
  cnpj: '11444777000161',
  endereco: address,
  credenciamento: publishedAct('5.773'.replace('.', ''), '1998-06-12'),
  recredenciamento: act('842/2011', '2011-07-01'),
  renovacaoDeRecredenciamento: pendingAct,
  mantenedora: maintainer,
}

export const plainIssuer: DegreeData['iesEmissora'] = {
  nome: 'Faculdade do Vale',
  codigoMEC: 4321,
  cnpj: '22333444000181',
  endereco: shortAddress,
  credenciamento: act('S/N', '2005-02-28'),
}

export const registrar: RegistrationData['iesRegistradora'] = {
  nome: 'Universidade do Sol Nascente',
  codigoMEC: 1234,
  cnpj: '11444777000161',
  endereco: address,
  credenciamento: act('5773', '1998-06-12'),
  atoRegulatorioAutorizacaoRegistro: { tipo: 'Despacho', numero: '17/2019', data: '2019-03-11' },
  mantenedora: maintainer,
}

export const student: DegreeData['diplomado'] = {
  id: '2022-104-387',
  nome: 'Maria da Conceição Araújo Lima',
  nomeSocial: 'Maria Araújo',
  sexo: 'F',
  nacionalidade: 'Brasileira',
  naturalidade: { codigoMunicipio: '2304400', nomeMunicipio: 'Fortaleza', uf: 'CE' },
  cpf: '52998224725',
  rg: { numero: '20081234567', orgaoExpedidor: 'SSPDS', uf: 'CE' },
  dataNascimento: '2001-04-23',
}

export const foreignStudent: DegreeData['diplomado'] = {
  id: 'E77',
  nome: 'João Müller & Filho',
  sexo: 'M',
  nacionalidade: 'Alemã',
  naturalidade: { nomeMunicipioEstrangeiro: 'Köln' },
  cpf: '11144477735',
  outroDocumentoIdentificacao: { tipoDocumento: 'Passaporte', identificador: 'C01X00T47' },
  dataNascimento: '1999-12-31',
}

export const course: DegreeData['dadosCurso'] = {
  nomeCurso: 'Pedagogia',
  codigoCursoEMEC: 98765,
  habilitacao: [{ nomeHabilitacao: 'Educação Infantil', dataHabilitacao: '2026-07-10' }],
  modalidade: 'Presencial',
  tituloConferido: { titulo: 'Licenciado' },
  grauConferido: 'Licenciatura',
  enfase: ['Gestão escolar', 'Educação do campo'],
  enderecoCurso: address,
  polo: { nome: 'Polo Sobral', endereco: shortAddress, codigoEMEC: '1059' },
  autorizacao: act('118', '2002-03-04'),
  reconhecimento: publishedAct('2160', '2006-09-15'),
  renovacaoReconhecimento: act('921/2018', '2018-12-27'),
}

export const plainCourse: DegreeData['dadosCurso'] = {
  nomeCurso: 'Engenharia de Software',
  semCodigoCursoEMEC: {
    numeroProcesso: 201900777,
    tipoProcesso: 'Autorização',
    dataCadastro: '2019-01-02',
    dataProtocolo: '2019-01-15',
  },
  modalidade: 'EAD',
  tituloConferido: { outroTitulo: 'Engenheiro de Software' },
  grauConferido: 'Bacharelado',
  enderecoCurso: shortAddress,
  autorizacao: pendingAct,
  reconhecimento: pendingAct,
}

export const signers: DegreeData['assinantes'] = {
  assinante: [
    { cpf: '39053344705', cargo: 'Reitor' },
    { cpf: '86288366757', outroCargo: 'Pró-Reitora de Graduação' },
  ],
}
