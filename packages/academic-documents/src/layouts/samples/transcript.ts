import type { DocumentInput } from '../kinds.ts'
import type { SampleOptions } from './degree.ts'
import { act, foreignStudent, issuer, pendingAct, plainIssuer, student } from './parts.ts'

export type TranscriptVariant = 'partial' | 'final' | 'secondCopy'

type Transcript = DocumentInput<'academicTranscript'>
type Final = Extract<Transcript, { documentoHistoricoEscolarFinal: unknown }>['documentoHistoricoEscolarFinal']
type SecondCopy = Extract<
  Transcript,
  { documentoHistoricoEscolarSegundaViaNatoFisico: unknown }
>['documentoHistoricoEscolarSegundaViaNatoFisico']
export type TranscriptBody = Final['infHistoricoEscolar']['historicoEscolar']
export type SecondCopyBody = SecondCopy['infHistoricoEscolar']['historicoEscolar']

const teachers = {
  docente: [
    {
      nome: 'Carlos Nogueira',
      titulacao: 'Doutorado',
      lattes: 'http://lattes.cnpq.br/1234567890123456',
      cpf: '86288366757',
    },
    { nome: 'Ana Sá', titulacao: 'Mestrado' },
  ],
} as const

const graduated = {
  dataConclusaoCurso: '2026-06-30',
  dataColacaoGrau: '2026-07-10',
  dataExpedicaoDiploma: '2026-08-03',
}

const units: TranscriptBody['elementosHistorico'] = [
  {
    disciplina: {
      codigoDisciplina: 'PED-101.1',
      nomeDisciplina: 'História da Educação',
      periodoLetivo: '2022/1',
      cargaHoraria: [{ horaAula: 72 }, { etiqueta: 'EXT', horaRelogio: '12.50' }],
      nota: '9.75',
      aprovado: { formaIntegralizacao: 'Cursado' },
      docentes: teachers,
    },
  },
  {
    disciplina: {
      codigoDisciplina: 'PED-102',
      nomeDisciplina: 'Didática',
      periodoLetivo: '2022/2',
      cargaHoraria: [{ horaRelogio: 60 }],
      notaAteCem: 87,
      aprovado: { outraFormaIntegralizacao: 'Exame de proficiência' },
      docentes: teachers,
    },
  },
  {
    disciplina: {
      codigoDisciplina: 'LIB1',
      nomeDisciplina: 'Libras',
      periodoLetivo: '2023/1',
      cargaHoraria: [{ horaAula: 36 }],
      conceito: 'A+',
      aprovado: {},
      docentes: teachers,
    },
  },
  {
    disciplina: {
      codigoDisciplina: 'EST2',
      nomeDisciplina: 'Estatística',
      periodoLetivo: '2023/1',
      cargaHoraria: [{ horaAula: 36 }],
      conceitoRM: 'APD',
      reprovado: true,
      docentes: teachers,
    },
  },
  {
    disciplina: {
      codigoDisciplina: 'TCC',
      nomeDisciplina: 'Trabalho de conclusão',
      periodoLetivo: '2026/1',
      cargaHoraria: [{ horaAula: 36 }],
      conceitoEspecificoDoCurso: 'Aprovado com louvor',
      pendente: true,
      docentes: teachers,
    },
  },
  {
    atividadeComplementar: {
      codigoAtividadeComplementar: 'AC-7',
      dataInicio: '2024-03-01',
      dataFim: '2024-03-05',
      dataRegistro: '2024-04-01',
      tipoAtividadeComplementar: 'Congresso',
      descricao: 'Congresso Nacional de Educação',
      cargaHorariaEmHoraRelogio: [{ valor: '20', etiqueta: 'AC' }, { valor: 4 }],
      docentesResponsaveisPelaValidacao: teachers,
    },
  },
  {
    estagio: {
      codigoUnidadeCurricular: 'ESTAGIO-1',
      dataInicio: '2025-02-10',
      dataFim: '2025-06-20',
      concedente: {
        razaoSocial: 'Escola Primeiros Passos Ltda',
        nomeFantasia: 'Primeiros Passos',
        cnpj: '44555666000181',
      },
      descricao: 'Docência na educação infantil',
      cargaHorariaEmHorasRelogio: [{ valor: 200.5, etiqueta: 'EST' }],
      docentesOrientadores: teachers,
    },
  },
  {
    estagio: {
      codigoUnidadeCurricular: 'ESTAGIO-2',
      dataInicio: '2025-08-10',
      dataFim: '2025-11-20',
      concedente: { nome: 'Lúcia Bastos', cpf: '39053344705' },
      cargaHorariaEmHorasRelogio: [{ valor: 100 }],
      docentesOrientadores: teachers,
    },
  },
  { situacaoDiscente: { periodoLetivo: '2023/2', trancamento: true } },
  {
    situacaoDiscente: {
      periodoLetivo: '2024/1',
      intercambioInternacional: {
        instituicao: 'Universidade do Porto',
        pais: 'Portugal',
        nomeProgramaIntercambio: 'Mobilidade',
      },
    },
  },
  { situacaoDiscente: { periodoLetivo: '2024/2', intercambioNacional: {} } },
  { situacaoDiscente: { periodoLetivo: '2025/1', matriculadoEmDisciplina: true } },
  { situacaoDiscente: { periodoLetivo: '2025/2', licenca: true } },
  { situacaoDiscente: { periodoLetivo: '2026/1', outraSituacao: 'Em mobilidade interna' } },
]

/** What a student did: with every kind of entry, or with one. */
export function sampleTranscriptBody({ minimal = false }: { readonly minimal?: boolean } = {}): TranscriptBody {
  if (minimal)
    return {
      codigoCurriculo: 'PED-2020',
      elementosHistorico: [{ situacaoDiscente: { periodoLetivo: '2022/1', desistencia: true } }],
      dataEmissaoHistorico: '2026-09-01',
      horaEmissaoHistorico: '23:59:59',
      situacaoAtualDiscente: { abandono: true },
      enade: [],
      cargaHorariaCursoIntegralizada: { horaRelogio: 0 },
      cargaHorariaCurso: { horaAula: 3200 },
      ingressoCurso: { data: '2022-02-01', formaAcesso: 'Enem' },
    }
  return {
    codigoCurriculo: 'PED-2020',
    elementosHistorico: units,
    nomeParaAreas: 'Ênfases',
    areas: { area: [{ codigo: 'GE', nome: 'Gestão escolar' }] },
    dataEmissaoHistorico: '2026-09-01',
    horaEmissaoHistorico: '14:33:00',
    situacaoAtualDiscente: { periodoLetivo: '2026/1', formado: graduated },
    enade: [
      { habilitado: { condicao: 'Ingressante', edicao: '2022' } },
      {
        naoHabilitado: {
          condicao: 'Concluinte',
          edicao: '2025',
          motivo: 'Estudante não habilitado ao Enade em razão do calendário do ciclo avaliativo',
        },
      },
      { naoHabilitado: { condicao: 'Concluinte', edicao: '2026', outroMotivo: 'Dispensa por liminar' } },
      { irregular: { condicao: 'Concluinte', edicao: '2024' } },
    ],
    cargaHorariaCursoIntegralizada: { horaRelogio: '3200.00' },
    cargaHorariaCurso: { horaRelogio: 3200 },
    ingressoCurso: { data: '2022-02-01', formaAcesso: 'Vestibular' },
  }
}

/** The same of a transcript that was born on paper. */
export function sampleSecondCopyBody({ minimal = false }: { readonly minimal?: boolean } = {}): SecondCopyBody {
  const { ingressoCurso, enade, ...body } = sampleTranscriptBody({ minimal })
  if (!minimal)
    return {
      ...body,
      enade,
      ingressoCurso: {
        data: ingressoCurso.data,
        formaAcesso: ['Vestibular', 'PEC-G'],
        anoMesProcessoSeletivo: '1987-01',
      },
    }
  const { codigoCurriculo: _code, ...bare } = body
  return {
    ...bare,
    elementosHistorico: [
      {
        disciplina: {
          nomeDisciplina: 'Latim',
          periodoLetivo: '1987',
          cargaHoraria: [{ horaAula: '60' }],
          aprovado: {},
        },
      },
      {
        atividadeComplementar: {
          dataInicio: '1988-01-01',
          dataFim: '1988-01-31',
          tipoAtividadeComplementar: 'Monitoria',
          cargaHorariaEmHoraRelogio: [{ valor: 40 }],
          docentesResponsaveisPelaValidacao: teachers,
        },
      },
    ],
  }
}

/** What transcripts and curriculums say of their course. */
export const sampleShortCourse = {
  nomeCurso: 'Pedagogia',
  codigoCursoEMEC: 98765,
  habilitacao: [{ nomeHabilitacao: 'Educação Infantil', dataHabilitacao: '2026-07-10' }],
  autorizacao: act('118', '2002-03-04'),
  reconhecimento: pendingAct,
}

export const sampleShortOutsideCourse = { nomeCurso: 'Música', codigoCursoEMEC: 55 }

export function sampleTranscript(options: SampleOptions<TranscriptVariant> = {}): Transcript {
  const { variant = 'final', minimal = false } = options
  const about = minimal
    ? { aluno: foreignStudent, dadosCursoNSF: sampleShortOutsideCourse, iesEmissora: plainIssuer }
    : { ambiente: 'Produção' as const, aluno: student, dadosCurso: sampleShortCourse, iesEmissora: issuer }
  const end = {
    segurancaHistorico: { codigoValidacao: '1234.0a1b2c3d4e5f' },
    ...(!minimal && { informacoesAdicionais: 'Concluiu com láurea.' }),
  }
  if (variant === 'secondCopy')
    return {
      documentoHistoricoEscolarSegundaViaNatoFisico: {
        infHistoricoEscolar: { ...about, historicoEscolar: sampleSecondCopyBody({ minimal }), ...end },
      },
    }
  const body = { infHistoricoEscolar: { ...about, historicoEscolar: sampleTranscriptBody({ minimal }), ...end } }
  return variant === 'final' ? { documentoHistoricoEscolarFinal: body } : { documentoHistoricoEscolarParcial: body }
}
