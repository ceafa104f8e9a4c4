import type { Template } from '../api/types.ts'
import type { Draft } from '../parts/draft.ts'

export const newTemplate: Draft = { kind: 'RVDD', instituteId: '', content: '{}' }

/** A template with its content as text, which is what is edited. */
export const templateDraftOf = ({ instituteId, name, kind, content }: Template): Draft => ({
  instituteId: instituteId ?? '',
  name,
  kind,
  content: JSON.stringify(content, undefined, 2),
})
