// Curriculum, list of annulled degrees, inspection file.
import { degreeIds } from '../identifiers/nonce.ts'
import type { DocumentInput } from '../kinds.ts'
import { type SampleOptions, sampleBook } from './degree.ts'
import { issuer, plainIssuer, registrar, sampleNonce } from './parts.ts'
import { sampleShortCourse, sampleShortOutsideCourse } from './transcript.ts'

type Curriculum = DocumentInput<'curriculum'>['curriculoEscolar']['infCurriculoEscolar']

const hours = { cargaHorariaMinima: 3200, cargaHorariaMaxima: '4000.00' }

const units: Curriculum['infEstruturaCurricular'] = {
  unidadeCurricular: [
    {
      tipo: 'Disciplina',
      codigo: 'PED-101.1',
      nome: 'História da Educação',
      cargaHorariaEmHoraAula: 72,
      cargaHorariaEmHoraRelogio: 60,
      ementa: { itemEmenta: ['Antiguidade', 'Educação no Brasil'] },
      fase: '1º semestre',
      equivalencias: {
        unidadesCurricularesEquivalente: [
          { codigoUnidadeEquivalente: ['HED-1', 'HED-2'] },
          { codigoUnidadeEquivalente: ['HIS'] },
        ],
      },
      preRequisitos: { codigoDependencia: ['INT'] },
      etiquetas: {
        etiqueta: [
          { codigo: 'OB' },
          { codigo: 'EXT', cargaHorariaEmHoraRelogio: '12.5' },
          { codigo: 'PR', cargaHorariaEmHoraAula: 10, cargaHorariaEmHoraRelogio: 8 },
        ],
      },
      areas: { area: [{ codigo: 'GE' }] },
    },
    { tipo: 'Trabalho de Conclusão de Curso', codigo: 'TCC', nome: 'Trabalho', cargaHorariaEmHoraRelogio: 36 },
  ],
}

export function sampleCurriculum({ minimal = false }: SampleOptions<never> = {}): DocumentInput<'curriculum'> {
  const always = {
    codigoCurriculo: 'PED-2020',
    dataCurriculo: '2020-02-01',
    minutosRelogioDaHoraAula: 50,
    infEtiquetas: {
      etiqueta: [
        { codigo: 'OB', nome: 'Obrigatória' },
        { codigo: 'EXT', nome: 'Extensão', aplicadoAutomaticamenteUnidadesNaoPertencentesAoCurriculo: 'Sim' as const },
      ],
    },
    infEstruturaCurricular: units,
    segurancaCurriculo: { codigoValidacao: '1234.00112233445566' },
  }
  if (minimal)
    return {
      curriculoEscolar: {
        infCurriculoEscolar: {
          ...always,
          dadosCursoNSF: sampleShortOutsideCourse,
          iesEmissora: plainIssuer,
          infAreas: {},
          infCriteriosIntegralizacao: [
            { criterioIntegralizacaoRotulos: { codigo: 'C1', cargasHorariasCriterio: hours } },
          ],
        },
      },
    }
  return {
    curriculoEscolar: {
      infCurriculoEscolar: {
        ...always,
        ambiente: 'Produção',
        nomeParaAreas: 'Ênfases',
        dadosCurso: sampleShortCourse,
        iesEmissora: issuer,
        infAreas: { area: [{ codigo: ['GE'], nome: ['Gestão escolar'] }] },
        infEstruturaAtividadesComplementares: {
          categoria: [
            {
              codigo: '1',
              nome: 'Ensino',
              limiteCargaHorariaEmHoraRelogio: 100,
              atividades: {
                atividade: [
                  {
                    codigo: '1.1',
                    nome: 'Monitoria',
                    descricao: ' até 2 semestres\n',
                    limiteCargaHorariaEmHoraRelogio: 60,
                  },
                  { codigo: '1.2', nome: 'Cursos', limiteCargaHorariaEmHoraRelogio: 40 },
                ],
              },
            },
          ],
        },
        infCriteriosIntegralizacao: [
          {
            criterioIntegralizacaoRotulos: {
              codigo: 'C1',
              unidadeCurricular: 'Disciplina',
              etiqueta: ['OB', 'EXT'],
              cargasHorariasCriterio: { ...hours, cargaHorariaParaTotal: 3200 },
            },
          },
          {
            criterioIntegralizacaoExpressao: {
              codigo: 'C2',
              expressao: { soma: { codigo: ['C1'] } },
              cargasHorariasCriterio: hours,
            },
          },
        ],
        informacoesAdicionais: 'Aprovado pelo colegiado.',
      },
    },
  }
}

export function sampleCancellationList({
  minimal = false,
}: SampleOptions<never> = {}): DocumentInput<'cancellationList'> {
  const annulled = [
    { codigoDiplomaAnulado: '1234.1234.0a1b2c3d4e5f', dataAnulacao: '2026-10-01', motivoAnulacao: 'Erro de Fato' },
    {
      codigoDiplomaAnulado: '4321.1234.ffeeddccbbaa9988',
      dataAnulacao: '2026-10-02',
      motivoAnulacao: 'Reemissão para Anotaçao de Registro',
      anotacaoAnulacao: 'Nome corrigido.',
    },
  ] as const
  return {
    listaDiplomasAnulados: {
      infListaDiplomasAnulados: {
        ...(!minimal && { ambiente: 'Produção' }),
        numeroDeSequencia: 7,
        iesRegistradora: registrar,
        diplomasAnulados: minimal ? {} : { diplomaAnulado: annulled },
        dataMaximaProximaAtualizacao: '2026-12-31',
      },
    },
  }
}

export type InspectionVariant = 'issuer' | 'registrar'

export function sampleInspectionFile(options: SampleOptions<InspectionVariant> = {}): DocumentInput<'inspectionFile'> {
  const { variant = 'issuer', minimal = false, nonce = sampleNonce } = options
  const period = { dataInicioFiscalizacao: '2026-01-01', dataFimFiscalizacao: '2026-06-30' }
  const degree = {
    codigoDiploma: '1234.1234.0a1b2c3d4e5f',
    cpfDetentor: '52998224725',
    ...(!minimal && { codigoEMECCurso: 98765 }),
  }
  if (variant === 'registrar')
    return {
      arquivoFiscalizacao: {
        infArquivoFiscalizacaoRegistradora: {
          ...period,
          iesRegistradora: registrar,
          diplomasFiscalizados: {
            diplomaFiscalizado: [
              {
                ...degree,
                codigoEMECEmissora: 1234,
                dadosRegistro: sampleBook,
                idDocumentacaoAcademica: degreeIds(nonce).documentacaoAcademica,
              },
            ],
          },
        },
      },
    }
  return {
    arquivoFiscalizacao: {
      infArquivoFiscalizacaoEmissora: {
        ...period,
        iesEmissora: minimal ? plainIssuer : issuer,
        diplomasFiscalizados: {
          diplomaFiscalizado: [
            {
              ...degree,
              dataEmissao: '2026-02-03',
              dataRegistro: '2026-03-01',
              urlXmlDoDiplomado: 'https://diplomas.sol.example/1234.1234.0a1b2c3d4e5f.xml',
              urlRvdd: 'https://diplomas.sol.example/1234.1234.0a1b2c3d4e5f/rvdd',
              ...(!minimal && { urlXmlDeRegistroAcademico: 'https://diplomas.sol.example/privado/7?chave=a%20b' }),
            },
          ],
        },
      },
    },
  }
}
