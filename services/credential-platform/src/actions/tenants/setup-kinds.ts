// How courses, flows and templates differ.
import type { Static } from 'typebox'
import type {
  CourseFields,
  CourseView,
  FlowFields,
  FlowView,
  TemplateFields,
  TemplateView,
} from '../../contract/setup.ts'
import { courseProblems } from '../../rules/academic-data.ts'
import { flowProblems } from '../../rules/flow-steps.ts'
import { wrongData } from '../../rules/refuse.ts'
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
}

export const flowKind: SetupKind<'flow', Static<typeof FlowFields>, FlowView> = {
  table: 'flow',
  entity: 'Flow',
  absent: 'flow-not-found',
  columns({ documentKind, steps }) {
    const problems = flowProblems(documentKind, steps)
    if (problems) throw wrongData(problems)
    return { document_kind: documentKind, steps: JSON.stringify(steps) }
  },
  view: ({ institute_id, document_kind, steps }, common) => ({
    ...common,
    instituteId: institute_id,
    documentKind: document_kind as FlowView['documentKind'],
    steps: JSON.parse(steps),
  }),
}

export const templateKind: SetupKind<'template', Static<typeof TemplateFields>, TemplateView> = {
  table: 'template',
  entity: 'Template',
  absent: 'template-not-found',
  columns: ({ kind, content }) => ({ kind, content: JSON.stringify(content) }),
  view: ({ institute_id, kind, content }, common) => ({
    ...common,
    instituteId: institute_id,
    kind,
    content: JSON.parse(content),
  }),
}
