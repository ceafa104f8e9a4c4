import type { CurriculumData } from './contents/curriculum-shapes.ts'
import { curriculumTables, curriculumTags } from './contents/curriculum-tables.ts'
import type { RepresentationInput } from './publication.ts'
import { representSheets, type SheetKind } from './sheets.ts'
import { defaultCurriculumTemplate } from './templates/default-sheets.ts'

export const curriculumKind: SheetKind<CurriculumData> = {
  kind: 'curriculum',
  template: defaultCurriculumTemplate,
  tags: curriculumTags,
  tables: curriculumTables,
  about: ({ codigoCurriculo, dadosCurso, iesEmissora }, code) => ({
    title: `Currículo escolar ${codigoCurriculo} – ${dadosCurso.nomeCurso}`,
    author: iesEmissora.nome,
    subject: `Representação visual do currículo escolar digital, código de validação ${code}`,
  }),
}

/** The visual representation of a curriculum (RVCE) as PDF/A-1b. The same input gives the same bytes. */
export const representCurriculum = (input: RepresentationInput<CurriculumData>): Buffer =>
  representSheets(curriculumKind, input)
