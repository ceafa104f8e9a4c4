import { degreeIds } from '../identifiers/nonce.ts'
import type { DocumentInput } from '../kinds.ts'
import {
  course,
  type DegreeData,
  foreignStudent,
  issuer,
  plainCourse,
  plainIssuer,
  type RegistrationData,
  registrar,
  sampleNonce,
  shortAddress,
  signers,
  student,
} from './parts.ts'

export type DegreeVariant = 'regular' | 'outsideFederalSystem' | 'judicial'

export interface SampleOptions<Variant extends string> {
  readonly variant?: Variant
  /** Only what the layout demands. Default: with every optional part. */
  readonly minimal?: boolean
  /** 44 digits. */
  readonly nonce?: string
}

type Body = DocumentInput<'degree'>['diploma']['infDiploma']
type Judicial = Extract<Body, { dadosDiplomaPorDecisaoJudicial: unknown }>
type Outside = Extract<Body, { dadosDiplomaNSF: unknown; dadosRegistroNSF: unknown }>

export function sampleDegreeData({ minimal = false, nonce = sampleNonce }: SampleOptions<never> = {}): DegreeData {
  const id = degreeIds(nonce).dadosDiploma
  if (minimal) return { id, diplomado: foreignStudent, dadosCurso: plainCourse, iesEmissora: plainIssuer }
  return {
    id,
    diplomado: student,
    dataConclusao: '2026-06-30',
    dadosCurso: course,
    dadosIesOriginalCursoPTA: {
      nome: 'Faculdade Extinta do Agreste',
      codigoMEC: '777',
      cnpj: '33444555000181',
      endereco: shortAddress,
      descredenciamento: { tipo: 'Despacho', numero: '17/2019', data: '2019-03-11' },
    },
    iesEmissora: issuer,
    assinantes: signers,
  }
}

export function sampleOutsideData(options: SampleOptions<never> = {}): Outside['dadosDiplomaNSF'] {
  const { dadosCurso, ...data } = sampleDegreeData(options)
  const { enfase: _enfase, ...outside } = dadosCurso
  return {
    ...data,
    dadosCurso: options.minimal
      ? {
          nomeCurso: 'Música',
          codigoCursoEMEC: '0',
          modalidade: 'Semipresencial',
          tituloConferido: { titulo: 'Bacharel' },
          grauConferido: 'Bacharelado',
          enderecoCurso: shortAddress,
        }
      : outside,
  }
}

export function sampleJudicialData(options: SampleOptions<never> = {}): Judicial['dadosDiplomaPorDecisaoJudicial'] {
  const { nonce = sampleNonce, minimal = false } = options
  if (!minimal)
    return {
      ...sampleOutsideData(options),
      declaracoesEmissoraAcercaProcesso: { declaracao: ['Emitido por ordem do juízo.', 'Sem histórico no acervo.'] },
    }
  return {
    id: degreeIds(nonce).dadosDiploma,
    diplomado: {
      idIndisponivel: true,
      nome: 'José Pereira',
      sexoIndisponivel: true,
      nacionalidadeIndisponivel: true,
      naturalidadeIndisponivel: true,
      cpf: '11144477735',
      rg: { numero: '1234', uf: 'BA' },
      dataNascimentoIndisponivel: true,
    },
    dadosCurso: {
      nomeCurso: 'Direito',
      codigoCursoEMECIndisponivel: true,
      modalidade: 'Presencial',
      tituloConferido: { titulo: 'Bacharel' },
      grauConferido: 'Bacharelado',
      enderecoCursoIndisponivel: true,
    },
    iesEmissora: plainIssuer,
  }
}

export const sampleBook: RegistrationData['livroRegistro'] = {
  livroRegistro: 'L-2026/3',
  numeroFolhaDoDiploma: '118',
  numeroSequenciaDoDiploma: '5423',
  processoDoDiploma: '23067.004512/2026-11',
  dataColacaoGrau: '2026-07-10',
  dataExpedicaoDiploma: '2026-08-03',
  dataRegistroDiploma: '2026-08-20',
  responsavelRegistro: { nome: 'Antônia Ferreira', cpf: '39053344705', idOuNumeroMatricula: 'SIAPE 1290' },
}

const plainBook: RegistrationData['livroRegistro'] = {
  livroRegistro: '12',
  numeroRegistro: '904',
  dataColacaoGrau: '2026-07-10',
  dataExpedicaoDiploma: '2026-08-03',
  dataRegistroDiploma: '2026-08-20',
  responsavelRegistro: { nome: 'Antônia Ferreira', cpf: '39053344705' },
}

function sampleRegistrationData({ minimal = false, nonce = sampleNonce }: SampleOptions<never> = {}): RegistrationData {
  const ids = degreeIds(nonce)
  const always = {
    id: ids.dadosRegistro,
    iesRegistradora: registrar,
    idDocumentacaoAcademica: ids.documentacaoAcademica,
    seguranca: { codigoValidacao: '1234.1234.0a1b2c3d4e5f' },
  }
  if (minimal) return { ...always, livroRegistro: plainBook }
  return {
    ...always,
    livroRegistro: sampleBook,
    informacoesAdicionais: 'Apostilamento: segunda habilitação em 2026 – conforme Resolução nº 12.',
    assinantes: { assinante: [{ cpf: '39053344705', cargo: 'Responsável pelo registro' }] },
  }
}

const process = { numeroProcessoJudicial: '0801234-56.2025.4.05.8100', nomeJuiz: 'Dra. Helena Prado' }

/** The process by whose order a degree is issued. */
export const sampleProcess = (minimal: boolean) =>
  minimal ? process : { ...process, decisao: 'Determino a emissão do diploma.' }

const bodies: Readonly<Record<DegreeVariant, (options: SampleOptions<never>) => Omit<Body, 'id' | 'ambiente'>>> = {
  regular: (options) => ({
    dadosDiploma: sampleDegreeData(options),
    dadosRegistro: sampleRegistrationData(options),
  }),
  outsideFederalSystem: (options) => {
    const { livroRegistro, ...data } = sampleRegistrationData(options)
    const { livroRegistro: _book, ...bookless } = livroRegistro
    return {
      dadosDiplomaNSF: sampleOutsideData(options),
      dadosRegistroNSF: {
        ...data,
        livroRegistro: options.minimal ? bookless : { ...livroRegistro, numeroRegistro: '7' },
      },
    }
  },
  judicial: (options) => ({
    dadosDiplomaPorDecisaoJudicial: sampleJudicialData(options),
    dadosRegistroPorDecisaoJudicial: {
      ...sampleRegistrationData(options),
      informacoesProcessoJudicial: sampleProcess(options.minimal ?? false),
      ...(!options.minimal && { declaracoesRegistradoraAcercaProcesso: { declaracao: ['Registrado sob decisão.'] } }),
    },
  }),
}

/** A public XML. */
export function sampleDegree(options: SampleOptions<DegreeVariant> = {}): DocumentInput<'degree'> {
  const { variant = 'regular', minimal = false, nonce = sampleNonce } = options
  const body = bodies[variant]({ minimal, nonce })
  const id = degreeIds(nonce).infDiploma
  return { diploma: { infDiploma: { id, ...(!minimal && { ambiente: 'Homologação' }), ...body } as Body } }
}
