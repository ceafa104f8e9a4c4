// A file to begin with: the columns of a usual row, and such a row, of fictitious people.
import { sampleAcademicDocumentation, sampleDegree, sampleTranscript } from '@chancela/academic-documents/samples'
import type { BatchKind, TranscriptType } from '../../contract/vocabulary.ts'
import { cellsIn, columnsFor } from '../../rules/batches/columns.ts'
import { csvCell } from '../../rules/batches/file-records.ts'

interface TemplateAsked {
  readonly withCourse?: boolean
  readonly type?: TranscriptType
}

type Node = Readonly<Record<string, unknown>>

const variants = { Partial: 'partial', Final: 'final', SecondCopyBornPhysical: 'secondCopy' } as const

const documentation = () => sampleAcademicDocumentation().documentacaoAcademicaRegistro as object

/** The part that the rows of a file are about, in a sample that has one root and one body. */
const bodyOf = (transcript: object): Node => {
  const [root] = Object.values(transcript) as [{ readonly infHistoricoEscolar: Node }]
  return root.infHistoricoEscolar
}

/** Whoever has a partial transcript has not graduated. */
const studying = ({ historicoEscolar, ...rest }: Node): object => ({
  ...rest,
  historicoEscolar: {
    ...(historicoEscolar as Node),
    situacaoAtualDiscente: { periodoLetivo: '2026/1', matriculadoEmDisciplina: true },
  },
})

const samples: Readonly<Record<BatchKind, (asked: TemplateAsked) => object>> = {
  Degree: () => {
    const { dadosRegistro } = sampleDegree().diploma.infDiploma as { readonly dadosRegistro?: object }
    return { ...documentation(), registration: dadosRegistro }
  },
  Emission: documentation,
  AcademicTranscript: ({ type = 'Final' }) => {
    const body = bodyOf(sampleTranscript({ variant: variants[type] }))
    return type === 'Partial' ? studying(body) : body
  },
}

/** With semicolons and a mark, as spreadsheets of Brazil open it with a double click. */
export function csvTemplate(kind: BatchKind, asked: TemplateAsked): string {
  const columnOf = columnsFor({ kind, type: asked.type, hasCourse: asked.withCourse ?? false })
  const cells = cellsIn(samples[kind](asked)).filter(([name]) => typeof columnOf(name) !== 'string' && !isSigner(name))
  const lines = [cells.map(([name]) => name), cells.map(([, cell]) => cell)]
  return `\u{feff}${lines.map((line) => line.map(csvCell).join(';')).join('\r\n')}\r\n`
}

/** Who signs is the flow's business; where a file names people, these are the only ones who may. */
const isSigner = (name: string): boolean => /(^|\.)assinantes\./.test(name)
