// Degrees, transcripts and curriculums as a person sees them: PDF/A from a template, never the legal document.
//
//   const pdf = representDegree({ data, code, url, signatories, madeAt })
//   const { tags } = templateGuide('degree')     // what a template can show
//   const draft = previewTemplate(template)      // the same drawing with data that nobody has

export type { CurriculumData } from './contents/curriculum-shapes.ts'
export type { Publication, Signatory } from './contents/degree-tags.ts'
export type { DegreeData } from './contents/shapes.ts'
export type { TranscriptData } from './contents/transcript-shapes.ts'
export { representCurriculum } from './curriculum.ts'
export { representDegree } from './degree.ts'
export { type RepresentationCode, RepresentationProblem } from './errors.ts'
export { looksLikePdfA, type PdfAFinding, type PdfAVerdict } from './pdf-a-check.ts'
export type { RepresentationInput } from './publication.ts'
export {
  checkTemplate,
  type PreviewedInput,
  previewTemplate,
  type Template,
  type TemplateGuide,
  type TemplateKind,
  templateGuide,
} from './templates.ts'
export { representTranscript } from './transcript.ts'
