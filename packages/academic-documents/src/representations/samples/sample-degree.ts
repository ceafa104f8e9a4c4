import type { DegreeData, Institution } from '../contents/shapes.ts'

const sampleInstitution: Institution = {
  nome: 'Universidade Federal de Santa Aurora',
  codigoMEC: '1234',
  cnpj: '11222333000181',
  endereco: {
    logradouro: 'Avenida das Ciências',
    numero: '1500',
    bairro: 'Cidade Universitária',
    codigoMunicipio: '3106200',
    nomeMunicipio: 'Belo Horizonte',
    uf: 'MG',
    cep: '31270901',
  },
  credenciamento: {
    tipo: 'Decreto',
    numero: '62758',
    data: '1968-05-22',
    veiculoPublicacao: 'DOU',
    dataPublicacao: '1968-05-27',
    secaoPublicacao: 1,
    paginaPublicacao: 4290,
  },
  recredenciamento: {
    tipo: 'Portaria',
    numero: '589',
    data: '2017-05-09',
    veiculoPublicacao: 'DOU',
    dataPublicacao: '2017-05-10',
  },
  mantenedora: { razaoSocial: 'Fundação Santa Aurora de Ensino e Pesquisa', cnpj: '11222333000181' },
}

/** A degree with every part that most have. */
export const sampleDegree: DegreeData = {
  dadosDiploma: {
    diplomado: {
      id: '2021004567',
      nome: 'Maria da Conceição Araújo Gonçalves',
      sexo: 'F',
      nacionalidade: 'Brasileira',
      naturalidade: { codigoMunicipio: '3106200', nomeMunicipio: 'Belo Horizonte', uf: 'MG' },
      cpf: '12345678909',
      rg: { numero: 'MG12345678', orgaoExpedidor: 'SSP', uf: 'MG' },
      dataNascimento: '1999-03-01',
    },
    dataConclusao: '2025-12-12',
    dadosCurso: {
      nomeCurso: 'Engenharia de Produção',
      codigoCursoEMEC: '98765',
      modalidade: 'Presencial',
      tituloConferido: { titulo: 'Bacharel' },
      grauConferido: 'Bacharelado',
      enfase: ['Logística'],
      autorizacao: {
        tipo: 'Portaria',
        numero: '123',
        data: '2005-02-10',
        dataPublicacao: '2005-02-11',
        secaoPublicacao: 1,
        paginaPublicacao: 17,
      },
      reconhecimento: {
        tipo: 'Portaria',
        numero: '456',
        data: '2010-06-01',
        dataPublicacao: '2010-06-02',
        secaoPublicacao: 1,
        paginaPublicacao: 33,
      },
      renovacaoReconhecimento: {
        informacoesTramitacaoEMEC: {
          numeroProcesso: '202012345',
          tipoProcesso: 'Renovação de Reconhecimento de Curso',
          dataCadastro: '2020-03-01',
          dataProtocolo: '2020-03-10',
        },
      },
    },
    iesEmissora: sampleInstitution,
  },
  dadosRegistro: {
    iesRegistradora: sampleInstitution,
    livroRegistro: {
      livroRegistro: 'ENG-12',
      numeroFolhaDoDiploma: '87',
      numeroSequenciaDoDiploma: '1043',
      processoDoDiploma: '23072.004567/2026-11',
      dataColacaoGrau: '2026-01-30',
      dataExpedicaoDiploma: '2026-02-20',
      dataRegistroDiploma: '2026-03-05',
      responsavelRegistro: { nome: 'João Batista Peçanha' },
    },
  },
}
