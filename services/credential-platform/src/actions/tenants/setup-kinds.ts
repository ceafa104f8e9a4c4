// How courses, flows and templates differ.
import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import type {
  CourseFields,
  CourseView,
  FlowFields,
  FlowView,
  KeptStep,
  SigningPlace,
  TemplateFields,
  TemplateView,
} from '../../contract/setup.ts'
import { courseProblems } from '../../rules/academic-data.ts'
import { flowProblems, placeProblems } from '../../rules/flow-steps.ts'
import { wrongData } from '../../rules/refuse.ts'
import { requireTemplate } from '../templates/template-content.ts'
import type { SetupKind } from './setup.ts'

export const courseKind: SetupKind<'course', Static<typeof CourseFields>, CourseView> = {
  table: 'course',
  entity: 'Course',
  absent: 'course-not-found',
  columns({ emecCode = null, data }) {
    const problems = courseProblems(emecCode, data)
    if (problems) throw wrongData(problems)
    return { emec_code: emecCode, data: JSON.stringify(data) }
  },
  view: ({ institute_id, emec_code, data }, common) => ({
    ...common,
    instituteId: institute_id,
    emecCode: emec_code,
    data: JSON.parse(data),
  }),
  told: ({ emec_code, data }) => ({ emecCode: emec_code, data: JSON.parse(data) }),
}

export const flowKind: SetupKind<'flow', Static<typeof FlowFields>, FlowView> = {
  table: 'flow',
  entity: 'Flow',
  absent: 'flow-not-found',
  columns({ documentKind, steps, signedAt = 'Here' }) {
    const problems = flowProblems(documentKind, steps) ?? placeProblems(documentKind, steps, signedAt)
    if (problems) throw wrongData(problems)
    return { document_kind: documentKind, steps: JSON.stringify(keptSteps(steps, signedAt)) }
  },
  view({ institute_id, document_kind, steps }, common) {
    const kept = JSON.parse(steps) as readonly KeptStep[]
    return {
      ...common,
      instituteId: institute_id,
      documentKind: document_kind as FlowView['documentKind'],
      steps: kept.map(({ signedAt: _, ...step }) => step),
      signedAt: kept[0]?.signedAt ?? 'Here',
    }
  },
  told: ({ document_kind, steps }) => ({ documentKind: document_kind, steps: JSON.parse(steps) }),
}

/** Kept with every step: a document is planned from its steps, and knows where it is signed whatever becomes of the flow. */
const keptSteps = (steps: FlowView['steps'], signedAt: SigningPlace): readonly KeptStep[] =>
  signedAt === 'Here' ? steps : steps.map((step) => ({ ...step, signedAt }))

export const templateKind: SetupKind<'template', Static<typeof TemplateFields>, TemplateView> = {
  table: 'template',
  entity: 'Template',
  absent: 'template-not-found',
  columns({ kind, content }) {
    requireTemplate(kind, content)
    return { kind, content: JSON.stringify(content) }
  },
  view: ({ institute_id, kind, content }, common) => ({
    ...common,
    instituteId: institute_id,
    kind,
    content: JSON.parse(content),
  }),
  // Contents have pictures in them: an event says whether they are others, and which.
  told: ({ kind, content }) => ({ kind, contentSha256: hash('sha256', content) }),
}
