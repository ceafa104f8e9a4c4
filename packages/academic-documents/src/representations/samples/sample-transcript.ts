import type { Discipline, TranscriptData } from '../contents/transcript-shapes.ts'
import { sampleDegree } from './sample-degree.ts'

const subjects = [
  'Cálculo Diferencial e Integral I',
  'Geometria Analítica e Álgebra Linear',
  'Introdução à Engenharia de Produção',
  'Química Geral',
  'Programação de Computadores',
  'Física Experimental: Mecânica',
  'Estatística e Probabilidade',
  'Economia para Engenharia',
  'Pesquisa Operacional',
  'Gestão da Qualidade',
  'Logística e Cadeia de Suprimentos',
  'Ergonomia e Segurança do Trabalho',
] as const

const teachers = [
  { nome: 'Helena Vasconcelos Prado', titulacao: 'Doutorado' },
  { nome: 'Antônio Sérgio Muniz', titulacao: 'Mestrado' },
  { nome: 'Inês Quadros', titulacao: 'Doutorado' },
] as const

const discipline = (name: string, at: number): Discipline => ({
  codigoDisciplina: `EP${100 + at}`,
  nomeDisciplina: name,
  periodoLetivo: `${2021 + Math.floor(at / 6)}/${1 + (Math.floor(at / 3) % 2)}`,
  cargaHoraria: [{ horaAula: 60 }],
  nota: (6 + ((at * 7) % 40) / 10).toFixed(2),
  aprovado: { formaIntegralizacao: at % 5 === 4 ? 'Aproveitado' : 'Cursado' },
  docentes: [teachers[at % teachers.length]!],
})

const { dadosDiploma } = sampleDegree

/** A transcript as templates are previewed with. */
export const sampleTranscript: TranscriptData = {
  aluno: dadosDiploma.diplomado,
  dadosCurso: dadosDiploma.dadosCurso,
  iesEmissora: dadosDiploma.iesEmissora,
  historicoEscolar: {
    codigoCurriculo: 'EP-2019',
    elementosHistorico: [
      ...subjects.map((name, at) => ({ disciplina: discipline(name, at) })),
      {
        estagio: {
          codigoUnidadeCurricular: 'EST01',
          dataInicio: '2025-02-03',
          dataFim: '2025-07-31',
          concedente: { razaoSocial: 'Metalúrgica Serra Azul S.A.' },
          descricao: 'Planejamento e controle da produção',
          cargaHorariaEmHorasRelogio: [{ horaRelogio: '180.00' }],
          docentesOrientadores: [teachers[0]],
        },
      },
      {
        atividadeComplementar: {
          codigoAtividadeComplementar: 'AC07',
          dataInicio: '2023-05-10',
          dataFim: '2023-05-12',
          tipoAtividadeComplementar: 'Congresso',
          descricao: 'Encontro Nacional de Engenharia de Produção',
          cargaHorariaEmHoraRelogio: [{ horaRelogio: '24.00' }],
          docentesResponsaveisPelaValidacao: [teachers[1]],
        },
      },
      {
        situacaoDiscente: {
          periodoLetivo: '2022/2',
          intercambioInternacional: { instituicao: 'Universidade do Porto', pais: 'Portugal' },
        },
      },
    ],
    dataEmissaoHistorico: '2026-02-20',
    horaEmissaoHistorico: '10:15:00',
    situacaoAtualDiscente: {
      periodoLetivo: '2025/2',
      formado: { dataConclusaoCurso: '2025-12-12', dataColacaoGrau: '2026-01-30', dataExpedicaoDiploma: '2026-02-20' },
    },
    enade: [
      { habilitado: { condicao: 'Concluinte', edicao: '2025' } },
      {
        naoHabilitado: {
          condicao: 'Ingressante',
          edicao: '2021',
          motivo: 'Estudante não habilitado ao Enade em razão do calendário do ciclo avaliativo',
        },
      },
    ],
    cargaHorariaCursoIntegralizada: { horaAula: 3720 },
    cargaHorariaCurso: { horaAula: 3720 },
    ingressoCurso: { data: '2021-02-15', formaAcesso: 'Sisu' },
  },
}
