import type { TranscriptData } from './contents/transcript-shapes.ts'
import { transcriptTables, transcriptTags } from './contents/transcript-tables.ts'
import type { RepresentationInput } from './publication.ts'
import { representSheets, type SheetKind } from './sheets.ts'
import { defaultTranscriptTemplate } from './templates/default-sheets.ts'

export const transcriptKind: SheetKind<TranscriptData> = {
  kind: 'transcript',
  template: defaultTranscriptTemplate,
  tags: transcriptTags,
  tables: transcriptTables,
  about: ({ aluno, dadosCurso, iesEmissora }, code) => ({
    title: `Histórico escolar – ${aluno.nomeSocial ?? aluno.nome}`,
    author: iesEmissora.nome,
    subject: `Representação visual do histórico escolar digital de ${dadosCurso.nomeCurso}, código de validação ${code}`,
  }),
}

/** The visual representation of a transcript (RVHE) as PDF/A-1b. The same input gives the same bytes. */
export const representTranscript = (input: RepresentationInput<TranscriptData>): Buffer =>
  representSheets(transcriptKind, input)
