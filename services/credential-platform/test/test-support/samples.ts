// Data of institutions and courses that are acceptable as they stand.
import { templateGuide } from '@chancela/academic-documents/representations'

const endereco = {
  logradouro: 'Avenida das Acácias',
  numero: '1000',
  bairro: 'Centro',
  codigoMunicipio: '4205407',
  nomeMunicipio: 'Florianópolis',
  uf: 'SC',
  cep: '88010000',
}

let number = 1000

export const sampleInstitute = (more: object = {}) => ({
  kind: 'IssuerAndRegistrar',
  name: 'Universidade Santa Clara',
  code: String(number++),
  cnpj: '11444777000161',
  federalSystem: true,
  publicUrl: 'https://diplomas.example.edu.br/verificar',
  data: {
    endereco,
    credenciamento: { tipo: 'Decreto', numero: '1234', data: '1990-05-21' },
    mantenedora: { razaoSocial: 'Fundação Santa Clara', cnpj: '11444777000161', endereco },
  },
  ...more,
})

export const sampleCourse = (instituteId: string, more: object = {}) => ({
  instituteId,
  name: 'Pedagogia',
  emecCode: String(number++),
  data: {
    modalidade: 'Presencial',
    tituloConferido: { titulo: 'Licenciado' },
    grauConferido: 'Licenciatura',
    enderecoCurso: endereco,
    autorizacao: { tipo: 'Portaria', numero: '55', data: '1991-01-10' },
    reconhecimento: { tipo: 'Portaria', numero: '77', data: '1995-03-20' },
  },
  ...more,
})

const dean = { name: 'Ana Souza', identifier: '52998224725', email: 'ana@example.com', cargo: 'Reitora' }
const institution = { name: 'Universidade Santa Clara', identifier: '11444777000161' }

export const sampleFlow = (more: object = {}) => ({
  name: `Fluxo ${number++}`,
  documentKind: 'AcademicDocumentation',
  steps: [
    { node: 'DadosDiploma', certificateKind: 'eCpf', level: 'AD-RC', participants: [dean] },
    { node: 'DadosDiploma', certificateKind: 'eCnpj', level: 'AD-RC', participants: [institution] },
    { node: 'Document', certificateKind: 'eCnpj', level: 'AD-RA', participants: [institution] },
  ],
  ...more,
})

export const sampleTemplate = (more: object = {}) => ({
  name: `Modelo ${number++}`,
  kind: 'RVDD',
  content: templateGuide('degree').template,
  ...more,
})
