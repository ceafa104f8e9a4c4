import type { Course, Institution, Person } from './shapes.ts'

/** Hours of lessons, or hours of the clock. */
export interface Hours {
  readonly horaAula?: string | number
  readonly horaRelogio?: string | number
  readonly etiqueta?: string
}

export interface Teacher {
  readonly nome: string
  readonly titulacao: string
}

export interface Discipline {
  readonly codigoDisciplina?: string
  readonly nomeDisciplina: string
  readonly periodoLetivo: string
  readonly cargaHoraria: readonly Hours[]
  readonly nota?: string | number
  readonly notaAteCem?: string | number
  readonly conceito?: string
  readonly conceitoRM?: string
  readonly conceitoEspecificoDoCurso?: string
  readonly aprovado?: { readonly formaIntegralizacao?: string; readonly outraFormaIntegralizacao?: string }
  readonly pendente?: unknown
  readonly reprovado?: unknown
  readonly docentes?: readonly Teacher[]
}

interface Period {
  readonly dataInicio: string
  readonly dataFim: string
  readonly descricao?: string
}

export interface ComplementaryActivity extends Period {
  readonly codigoAtividadeComplementar?: string
  readonly tipoAtividadeComplementar: string
  readonly cargaHorariaEmHoraRelogio: readonly Hours[]
  readonly docentesResponsaveisPelaValidacao?: readonly Teacher[]
}

export interface Internship extends Period {
  readonly codigoUnidadeCurricular?: string
  readonly concedente?: { readonly razaoSocial?: string; readonly nomeFantasia?: string; readonly nome?: string }
  readonly cargaHorariaEmHorasRelogio: readonly Hours[]
  readonly docentesOrientadores?: readonly Teacher[]
}

interface Exchange {
  readonly instituicao?: string
  readonly pais?: string
  readonly nomeProgramaIntercambio?: string
}

/** How a student stands in a period: exactly one of these. */
export interface StudentSituation {
  readonly periodoLetivo?: string
  readonly trancamento?: unknown
  readonly matriculadoEmDisciplina?: unknown
  readonly licenca?: unknown
  readonly intercambioInternacional?: Exchange
  readonly intercambioNacional?: Exchange
  readonly desistencia?: unknown
  readonly abandono?: unknown
  readonly jubilado?: unknown
  readonly formado?: {
    readonly dataConclusaoCurso: string
    readonly dataColacaoGrau: string
    readonly dataExpedicaoDiploma: string
  }
  readonly outraSituacao?: string
}

/** One line of the transcript: exactly one of these. */
interface TranscriptElement {
  readonly disciplina?: Discipline
  readonly atividadeComplementar?: ComplementaryActivity
  readonly estagio?: Internship
  readonly situacaoDiscente?: StudentSituation
}

interface Enade {
  readonly condicao: string
  readonly edicao: string | number
  readonly motivo?: string
  readonly outroMotivo?: string
}

/** Exactly one of these. */
export interface EnadeEntry {
  readonly habilitado?: Enade
  readonly naoHabilitado?: Enade
  readonly irregular?: Enade
}

export interface TranscriptData {
  readonly aluno: Person
  readonly dadosCurso: Course
  readonly iesEmissora: Institution
  readonly historicoEscolar: {
    readonly codigoCurriculo?: string
    readonly elementosHistorico: readonly TranscriptElement[]
    readonly nomeParaAreas?: string
    readonly areas?: readonly { readonly codigo: string; readonly nome: string }[]
    readonly dataEmissaoHistorico: string
    readonly horaEmissaoHistorico: string
    readonly situacaoAtualDiscente: StudentSituation
    readonly enade?: readonly EnadeEntry[]
    readonly cargaHorariaCursoIntegralizada: Hours
    readonly cargaHorariaCurso: Hours
    readonly ingressoCurso?: { readonly data: string; readonly formaAcesso: string | readonly string[] }
  }
  readonly informacoesAdicionais?: string
}
