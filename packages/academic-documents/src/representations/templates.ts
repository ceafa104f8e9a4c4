import { degreeTags } from './contents/degree-tags.ts'
import type { TableView } from './contents/tables.ts'
import type { TagTable } from './contents/tags.ts'
import { curriculumKind, representCurriculum } from './curriculum.ts'
import { representDegree } from './degree.ts'
import type { RepresentationInput } from './publication.ts'
import { sampleCurriculum } from './samples/sample-curriculum.ts'
import { sampleDegree } from './samples/sample-degree.ts'
import { sampleTranscript } from './samples/sample-transcript.ts'
import { invalid } from './templates/check-template.ts'
import { defaultDegreeTemplate } from './templates/default-degree.ts'
import { checkDegreeTemplate, type DegreeTemplate } from './templates/degree-template.ts'
import { checkSheetTemplate, type SheetTemplate } from './templates/sheet-template.ts'
import { representTranscript, transcriptKind } from './transcript.ts'

export type Template = DegreeTemplate | SheetTemplate
export type TemplateKind = Template['kind']

/** What a person who designs a template can use. */
export interface TemplateGuide {
  readonly template: Template
  readonly tags: readonly { readonly tag: string; readonly label: string }[]
  readonly tables: readonly {
    readonly table: string
    readonly columns: readonly string[]
    readonly groups: readonly string[]
  }[]
}

/** What a preview shows instead of data that nobody has. */
export type PreviewedInput = Omit<RepresentationInput<never>, 'template' | 'isPreview'>

type PreviewInput = Omit<RepresentationInput<never>, 'data'> & { readonly data?: never }

interface KindOfTemplate extends TemplateGuide {
  check(template: unknown): Template
  preview(input: PreviewInput): Buffer
}

const listedTags = (tags: TagTable<never>) => Object.entries(tags).map(([tag, { label }]) => ({ tag, label }))

const listedTables = (tables: Readonly<Record<string, TableView<never>>>) =>
  Object.entries(tables).map(([table, { columnNames, groupNames }]) => ({
    table,
    columns: columnNames,
    groups: groupNames,
  }))

const kinds: Readonly<Record<TemplateKind, KindOfTemplate>> = {
  degree: {
    template: defaultDegreeTemplate,
    tags: listedTags(degreeTags),
    tables: [],
    check: checkDegreeTemplate,
    preview: (input) => representDegree({ data: sampleDegree, ...input }),
  },
  transcript: {
    template: transcriptKind.template,
    tags: listedTags(transcriptKind.tags),
    tables: listedTables(transcriptKind.tables),
    check: (template) =>
      checkSheetTemplate('transcript', template, Object.keys(transcriptKind.tags), transcriptKind.tables),
    preview: (input) => representTranscript({ data: sampleTranscript, ...input }),
  },
  curriculum: {
    template: curriculumKind.template,
    tags: listedTags(curriculumKind.tags),
    tables: listedTables(curriculumKind.tables),
    check: (template) =>
      checkSheetTemplate('curriculum', template, Object.keys(curriculumKind.tags), curriculumKind.tables),
    preview: (input) => representCurriculum({ data: sampleCurriculum, ...input }),
  },
}

/** The default template of a kind, with the tags and tables that any template of it can use. */
export const templateGuide = (kind: TemplateKind): TemplateGuide => kinds[kind]

/** A template as it may be stored, of whatever kind it says it is; throws the first problem it has. */
export function checkTemplate(template: unknown): Template {
  const kind = (template as { readonly kind?: unknown } | null)?.kind
  if (typeof kind !== 'string' || !Object.hasOwn(kinds, kind))
    throw invalid(`kind must be one of ${Object.keys(kinds).join(', ')}`)
  return kinds[kind as TemplateKind].check(template)
}

/** A template with the data of a document, by default with some that nobody has; marked as no document. */
export function previewTemplate(template: unknown, shown: PreviewInput | PreviewedInput = example): Buffer {
  const checked = checkTemplate(template)
  return kinds[checked.kind].preview({ ...shown, template: checked, isPreview: true })
}

const example = {
  code: '1234.1234.0123456789ab',
  url: 'https://exemplo.edu.br/diplomas/1234.1234.0123456789ab',
  madeAt: new Date('2026-03-05T12:00:00Z'),
  signatories: [
    { name: 'Ana Lúcia de Magalhães Brandão', role: 'Reitora' },
    { name: 'Paulo Henrique Assunção', role: 'Diretor da Escola de Engenharia' },
    { name: 'João Batista Peçanha', role: 'Secretário-Geral' },
  ],
}
