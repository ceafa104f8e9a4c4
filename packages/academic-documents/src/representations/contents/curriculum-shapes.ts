import type { Course, Institution } from './shapes.ts'

interface UnitLabel {
  readonly codigo: string
}

export interface CurricularUnit {
  readonly tipo: string
  readonly codigo: string
  readonly nome: string
  readonly cargaHorariaEmHoraAula?: string | number
  readonly cargaHorariaEmHoraRelogio: string | number
  readonly ementa?: readonly string[]
  readonly fase?: string
  readonly equivalencias?: readonly (readonly string[])[]
  readonly preRequisitos?: readonly string[]
  readonly etiquetas?: readonly UnitLabel[]
  readonly areas?: readonly { readonly codigo: string }[]
}

export interface ActivityCategory {
  readonly codigo: string
  readonly nome: string
  readonly limiteCargaHorariaEmHoraRelogio?: string | number
  readonly atividades: readonly {
    readonly codigo: string
    readonly nome: string
    readonly descricao?: string
    readonly limiteCargaHorariaEmHoraRelogio: string | number
  }[]
}

/** A criterion over labels, or over the sum of other criteria. */
export interface CompletionCriterion {
  readonly codigo: string
  readonly unidadeCurricular?: string
  readonly etiqueta?: readonly string[]
  readonly expressao?: { readonly soma: readonly string[] }
  readonly cargasHorariasCriterio: {
    readonly cargaHorariaMinima?: string | number
    readonly cargaHorariaMaxima?: string | number
    readonly cargaHorariaParaTotal?: string | number
  }
}

export interface CurriculumData {
  readonly codigoCurriculo: string
  readonly dataCurriculo: string
  readonly minutosRelogioDaHoraAula: string | number
  readonly nomeParaAreas?: string
  readonly dadosCurso: Course
  readonly iesEmissora: Institution
  readonly infEtiquetas: readonly { readonly codigo: string; readonly nome: string }[]
  readonly infAreas?: readonly { readonly codigo: string; readonly nome: string }[]
  readonly infEstruturaCurricular: readonly CurricularUnit[]
  readonly infEstruturaAtividadesComplementares?: readonly ActivityCategory[]
  readonly infCriteriosIntegralizacao: readonly CompletionCriterion[]
  readonly informacoesAdicionais?: string
}
