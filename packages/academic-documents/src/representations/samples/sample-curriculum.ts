import type { CurricularUnit, CurriculumData } from '../contents/curriculum-shapes.ts'
import { sampleDegree } from './sample-degree.ts'

const unit = (at: number, nome: string, area: string, more: Partial<CurricularUnit> = {}): CurricularUnit => ({
  tipo: 'Disciplina',
  codigo: `EP${100 + at}`,
  nome,
  cargaHorariaEmHoraAula: 60,
  cargaHorariaEmHoraRelogio: '50.00',
  fase: `${1 + Math.floor(at / 4)}ª`,
  etiquetas: [{ codigo: 'OB' }],
  areas: [{ codigo: area }],
  ...more,
})

const { dadosCurso, iesEmissora } = sampleDegree.dadosDiploma

/** A curriculum as templates are previewed with. */
export const sampleCurriculum: CurriculumData = {
  codigoCurriculo: 'EP-2019',
  dataCurriculo: '2019-01-15',
  minutosRelogioDaHoraAula: 50,
  nomeParaAreas: 'Núcleos',
  dadosCurso,
  iesEmissora,
  infEtiquetas: [
    { codigo: 'OB', nome: 'Obrigatória' },
    { codigo: 'OP', nome: 'Optativa' },
    { codigo: 'EX', nome: 'Extensão' },
  ],
  infAreas: [
    { codigo: 'B', nome: 'Núcleo de conteúdos básicos' },
    { codigo: 'P', nome: 'Núcleo de conteúdos profissionalizantes' },
  ],
  infEstruturaCurricular: [
    unit(0, 'Cálculo Diferencial e Integral I', 'B'),
    unit(1, 'Geometria Analítica e Álgebra Linear', 'B'),
    unit(2, 'Química Geral', 'B'),
    unit(3, 'Programação de Computadores', 'B'),
    unit(4, 'Cálculo Diferencial e Integral II', 'B', { preRequisitos: ['EP100'] }),
    unit(5, 'Estatística e Probabilidade', 'B', { preRequisitos: ['EP100'] }),
    unit(6, 'Pesquisa Operacional', 'P', { preRequisitos: ['EP101', 'EP105'] }),
    unit(7, 'Gestão da Qualidade', 'P', { preRequisitos: ['EP105'] }),
    unit(8, 'Logística e Cadeia de Suprimentos', 'P', { etiquetas: [{ codigo: 'OP' }] }),
    unit(9, 'Engenharia na Comunidade', 'P', {
      tipo: 'Atividade de Extensão',
      etiquetas: [{ codigo: 'OB' }, { codigo: 'EX' }],
    }),
    unit(10, 'Estágio Supervisionado', 'P', {
      tipo: 'Estágio',
      cargaHorariaEmHoraAula: 216,
      cargaHorariaEmHoraRelogio: '180.00',
    }),
    unit(11, 'Trabalho de Conclusão de Curso', 'P', { tipo: 'Trabalho de Conclusão de Curso' }),
  ],
  infEstruturaAtividadesComplementares: [
    {
      codigo: 'CAT1',
      nome: 'Iniciação científica e eventos',
      limiteCargaHorariaEmHoraRelogio: '80.00',
      atividades: [
        { codigo: 'AC01', nome: 'Bolsa de iniciação científica', limiteCargaHorariaEmHoraRelogio: '60.00' },
        {
          codigo: 'AC07',
          nome: 'Congresso',
          descricao: 'participação com ou sem trabalho',
          limiteCargaHorariaEmHoraRelogio: '24.00',
        },
      ],
    },
  ],
  infCriteriosIntegralizacao: [
    {
      codigo: 'C1',
      unidadeCurricular: 'Disciplina',
      etiqueta: ['OB'],
      cargasHorariasCriterio: { cargaHorariaMinima: '2600.00' },
    },
    {
      codigo: 'C2',
      unidadeCurricular: 'Disciplina',
      etiqueta: ['OP'],
      cargasHorariasCriterio: {
        cargaHorariaMinima: '240.00',
        cargaHorariaMaxima: '360.00',
        cargaHorariaParaTotal: '240.00',
      },
    },
    { codigo: 'C3', expressao: { soma: ['C1', 'C2'] }, cargasHorariasCriterio: { cargaHorariaMinima: '3600.00' } },
  ],
}
