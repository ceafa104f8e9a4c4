import type { Course } from '../api/types.ts'
import type { Draft } from '../parts/draft.ts'

export const newCourse: Draft = { data: { enderecoCurso: {} } }

/** A course as it is sent again; a title is one of the usual ones, or written in the other field. */
export const courseDraftOf = ({ instituteId, name, emecCode, data }: Course): Draft => ({
  instituteId,
  name,
  emecCode: emecCode ?? '',
  data: { ...data, enderecoCurso: data.enderecoCurso ?? {} },
})
